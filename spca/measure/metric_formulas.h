#pragma once

/// What several metrics share. Everything works on the union of the supports or through products
/// with S: no p x p matrix is ever formed. T = V'SV and V'V are the r x r matrices from which
/// nearly all metrics follow, because the scores XV enter only through (XV)'(XV) = V'SV (times the
/// scale of S).

#include <string>
#include <vector>

#include "spca/measure/metrics.h"
#include "spca/base/types.h"

namespace spca {

/// Of a time in seconds. A solve of a few milliseconds varies by more than itself from run to run.
MetricTraits seconds_traits(std::string formula, bool by_default = true);

/// Loadings on the union U of their supports.
struct JointLoadings {
  Support support;  // U, ascending
  Matrix loadings;  // |U| x r, the rows U of V
};
JointLoadings join_supports(const std::vector<Component>& components);

/// V'V, r x r.
Matrix loadings_gram(const std::vector<Component>& components);
/// V'SV, r x r: through S_UU where the union U is small, otherwise through the r products S v_j.
Matrix variance_matrix(const Covariance& covariance, const std::vector<Component>& components);

/// tr(G^+ M) for a symmetric positive semidefinite r x r G = A'A and M = A'BA: the trace of B on
/// the span of A. Columns of A that depend linearly on the others (to kRankTolerance) add nothing.
double trace_on_span(const Matrix& gram, const Matrix& matrix);
/// A direction counts as dependent where its eigenvalue in the correlation matrix of the columns is
/// below this: the square root of it, 1e-6, is the sine at which rounding still leaves half the
/// digits.
inline constexpr double kRankTolerance = 1e-12;

/// sum_j v_j'Sv_j.
double plain_variance(const MetricContext& context);
/// sum_j R_jj^2 with XV = QR, from T = R'R alone. A component whose scores depend linearly on the
/// earlier ones adds nothing. At most lambda_1 + ... + lambda_r.
double adjusted_variance_sum(const MetricContext& context);
/// tr((V'V)^+ V'SV), the variance of X projected on the span of V. At most lambda_1 + ... +
/// lambda_r; equal to the plain sum where the loadings are orthonormal.
double projected_variance_sum(const MetricContext& context);

/// lambda_1 + ... + lambda_min(r, p); NaN where the eigenvalues could not be computed.
double pca_variance(const MetricContext& context);

/// The largest principal angle, in [0, pi/2], between the span of `truth` and the nearest subspace
/// in the span of `components`, which are at least as many. Neither signs nor order matter.
double largest_principal_angle(const std::vector<Component>& components,
                               const std::vector<Component>& truth);

/// F1[i][j] of the supports of components[i] and truth[j]: 2 |I ∩ J| / (|I| + |J|).
Matrix support_f1_scores(const std::vector<Component>& components,
                         const std::vector<Component>& truth);
/// The largest sum of scores over matchings of all rows to distinct columns; rows <= columns.
/// Hungarian method, O(rows^2 columns).
double best_matching(const Matrix& scores);

}  // namespace spca

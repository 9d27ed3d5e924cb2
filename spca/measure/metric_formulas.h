#pragma once

/// Formulas that several metrics share.

#include <string>
#include <vector>

#include "spca/base/types.h"
#include "spca/measure/metrics.h"
#include "spca/spectrum/joint_loadings.h"

namespace spca {

/// Says when a metric is measured: always, or only if an experiment or a user names it.
enum class WhenMeasured { kByDefault, kIfNamed };

/// Returns the traits of a time in seconds. A time of a few milliseconds can double from run to
/// run, so the tolerances are wide.
MetricTraits seconds_traits(std::string formula, WhenMeasured when = WhenMeasured::kByDefault);

/// sum_j v_j'Sv_j.
double plain_variance(const MetricContext& context);
/// sum_j R_jj^2 with XV = QR, computed from V'SV = R'R alone. A component whose scores depend
/// linearly on the earlier ones adds nothing. At most lambda_1 + ... + lambda_r.
double adjusted_variance_sum(const MetricContext& context);
/// tr((V'V)^+ V'SV), the variance of X projected on the span of V. At most
/// lambda_1 + ... + lambda_r. Equal to the plain sum if the loadings are orthonormal.
double projected_variance_sum(const MetricContext& context);

/// lambda_1 + ... + lambda_min(r, p). NaN if the eigenvalues could not be computed.
double pca_variance(const MetricContext& context);

/// Returns the largest principal angle, in [0, pi/2], between two subspaces: the span of `truth`,
/// and the nearest subspace in the span of `components`; pi/2 if the components span fewer
/// dimensions than the truth. Neither signs nor order matter.
double largest_principal_angle(const std::vector<Component>& components,
                               const std::vector<Component>& truth);

/// Returns F1[i][j] of the supports of components[i] and truth[j]: 2 |I ∩ J| / (|I| + |J|).
Matrix support_f1_scores(const std::vector<Component>& components,
                         const std::vector<Component>& truth);
/// Returns the number of supports that equal supports of distinct components of the truth, in any
/// order. NaN without a truth, or if the truth has fewer components.
double recovered_supports(const MetricContext& context);
/// Returns the largest sum of scores (>= 0 and finite) if each row is matched to a column of its
/// own. Needs rows <= columns.
double best_matching(const Matrix& scores);

}  // namespace spca

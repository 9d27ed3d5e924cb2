#pragma once

/// Several loadings together: on the union of their supports, or through products with S. No p x p
/// matrix is ever formed. From the r x r matrices V'SV and V'V nearly all measures of loadings
/// follow, because the scores XV enter only through (XV)'(XV) = V'SV (times the scale of S).

#include <vector>

#include "spca/algebra/covariance.h"
#include "spca/base/types.h"

namespace spca {

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

}  // namespace spca

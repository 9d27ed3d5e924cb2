#pragma once

/// Several loadings together, on the union of their supports or through products with S. No p x p
/// matrix is ever formed.
///
/// Nearly all measures of loadings follow from the r x r matrices V'SV and V'V. The scores XV enter
/// only through (XV)'(XV) = V'SV, times the scale of S.

#include <vector>

#include "spca/base/types.h"
#include "spca/covariance/covariance.h"

namespace spca {

/// The loadings on the union U of their supports.
struct JointLoadings {
  Support support;  // U, ascending
  Matrix loadings;  // |U| x r, the rows U of V
};
JointLoadings join_supports(const std::vector<Component>& components);

/// V'V, r x r.
Matrix loadings_gram(const std::vector<Component>& components);
/// V'SV, r x r. Uses S_UU if the union U is small, otherwise the r products S v_j.
Matrix variance_matrix(const Covariance& covariance, const std::vector<Component>& components);

/// Returns tr(G^+ M) for symmetric positive semidefinite r x r matrices G = A'A and M = A'BA. This
/// is the trace of B on the span of A. Columns of A that depend linearly on the others (to
/// kRankTolerance) add nothing.
double trace_on_span(const Matrix& gram, const Matrix& matrix);
/// Returns the variance of the span of the components, tr((V'V)^+ V'SV), from `gram` = V'V and
/// `variances` = V'SV. If the columns are so nearly dependent that these two matrices lack digits,
/// the variance is computed from an orthonormal basis of the span instead, with further products
/// with S.
double variance_of_span(const Covariance& covariance, const std::vector<Component>& components,
                        const Matrix& gram, const Matrix& variances);
/// A direction counts as dependent if its eigenvalue in the correlation matrix of the columns is
/// below this. The square root, 1e-6, is the sine at which rounding still leaves half of the
/// digits.
inline constexpr double kRankTolerance = 1e-12;

}  // namespace spca

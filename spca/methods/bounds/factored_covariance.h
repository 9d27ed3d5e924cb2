#pragma once

/// A with A'A = S for a dense S that rounding, or printed digits, may have made indefinite: what
/// the relaxations need, with the error that the factor leaves.

#include "spca/base/types.h"

namespace spca {

/// A, rank x p, with A'A = the given positive semidefinite matrix, p x p, but for rounding: by
/// Cholesky with pivots. O(p^2 rank).
Matrix pivoted_cholesky(const Matrix& matrix);

/// S <= unit (factor' factor + excess I), unit the largest variance. The excess is what rounding
/// leaves of S, and more for an S that is slightly indefinite.
struct FactoredCovariance {
  Matrix factor;  // n x p, n the rank of S
  double unit = 1;
  double excess = 0;

  /// What lambda_max of the factor's part has to exceed for a support to be better than `value`.
  double limit(double value) const;
};
/// `matrix` is S, p x p, with a positive variance.
FactoredCovariance factor_covariance(const Matrix& matrix);

/// lambda_max(S_II), S = factor' factor.
double largest_variance_on(const Matrix& factor, const Support& support);

/// A value counts as matched by a bound that exceeds it by this share of itself: what rounding
/// may add up to on equal supports.
inline constexpr double kBoundRounding = 1e-11;

}  // namespace spca

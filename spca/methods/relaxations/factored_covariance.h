#pragma once

/// A with A'A = S for a dense S that rounding, or printed digits, may have made indefinite, for use
/// in the relaxations, with the error of the factor.

#include <functional>
#include <memory>
#include <vector>

#include "spca/base/types.h"
#include "spca/methods/relaxations/relaxation_terms.h"

namespace spca {

/// Returns A, rank x p, with A'A = the given positive semidefinite matrix, p x p, up to rounding:
/// by Cholesky with pivots. O(p^2 rank).
Matrix pivoted_cholesky(const Matrix& matrix);
/// The same as pivoted_cholesky() above; 0 x 0 if `keep_going`, called before each row, returns
/// false.
Matrix pivoted_cholesky(const Matrix& matrix, const std::function<bool()>& keep_going);

/// S <= unit (A'A + excess I), unit the largest variance, A of n x p. The excess is the rounding
/// error, and more for an S that is slightly indefinite.
class FactoredCovariance {
 public:
  virtual ~FactoredCovariance() = default;
  FactoredCovariance() = default;
  FactoredCovariance(const FactoredCovariance&) = delete;
  FactoredCovariance& operator=(const FactoredCovariance&) = delete;

  virtual Index dimension() const = 0;  // n
  virtual Index variables() const = 0;  // p
  /// Returns whether A is formed, so that products with it are cheap.
  virtual bool is_formed() const = 0;
  /// A of these variables, in their order.
  virtual std::shared_ptr<const RelaxationColumns> columns(
      const std::vector<int>& variables) const = 0;
  /// A of a few variables, formed.
  virtual Matrix formed(const Support& variables) const = 0;
  /// ||a_i||^2 of all variables.
  virtual Vector squared_lengths() const = 0;
  /// A'x of all variables.
  virtual Vector products(const Vector& x) const = 0;

  double unit() const { return unit_; }
  double excess() const { return excess_; }
  /// The value of lambda_max(A_I'A_I) above which a support is better than `value`.
  double limit(double value) const;
  /// The same as limit() for a value less prices, which may be any number: rounding is that of the
  /// unit.
  double priced_limit(double value) const;

 protected:
  double unit_ = 1;
  double excess_ = 0;
};

/// Returns the factor of a dense S, by Cholesky with pivots; n is the rank of S. `matrix` is S, p x
/// p, with a positive variance. `keep_going` is called before each column; null if it returns
/// false.
std::unique_ptr<FactoredCovariance> factor_covariance(const Matrix& matrix,
                                                      const std::function<bool()>& keep_going);
std::unique_ptr<FactoredCovariance> factor_covariance(const Matrix& matrix);

/// lambda_max(S_II), S = A'A.
double largest_variance_on(const FactoredCovariance& factor, const Support& support);

/// A value counts as attained by a bound that exceeds it by at most this share: the rounding that
/// equal supports may accumulate.
inline constexpr double kBoundRounding = 1e-11;

}  // namespace spca

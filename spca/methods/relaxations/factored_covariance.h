#pragma once

/// The factor A of S = A'A for the relaxations, with the error of the factor: rounding, or printed
/// digits, may have made S indefinite.

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
  /// The columns of A for these variables, in the order given.
  virtual std::shared_ptr<const RelaxationColumns> columns(
      const std::vector<int>& variables) const = 0;
  /// The columns of A for a few variables, as a matrix.
  virtual Matrix formed(const Support& variables) const = 0;
  /// ||a_i||^2 of all variables.
  virtual Vector squared_lengths() const = 0;
  /// A'x of all variables.
  virtual Vector products(const Vector& x) const = 0;

  double unit() const { return unit_; }
  double excess() const { return excess_; }
  /// The value that lambda_max(A_I'A_I) must exceed for a support better than `value`.
  double limit(double value) const;
  /// The same as limit() for a value from which prices are subtracted. It may be zero or negative,
  /// so the margin for rounding is a share of the unit instead of the value.
  double priced_limit(double value) const;

 protected:
  double unit_ = 1;
  double excess_ = 0;
};

/// Returns the factor of a dense S, by Cholesky with pivots; n is the rank of S. `matrix` is S, p x
/// p, with a positive variance. `keep_going` is called before each row of A and each block of
/// columns of the residual; the result is null if it returns false.
std::unique_ptr<FactoredCovariance> factor_covariance(const Matrix& matrix,
                                                      const std::function<bool()>& keep_going);
std::unique_ptr<FactoredCovariance> factor_covariance(const Matrix& matrix);

/// Returns lambda_max(A_I'A_I), in units of the largest variance.
double largest_variance_on(const FactoredCovariance& factor, const Support& support);

/// A support counts as optimal if the bound exceeds its value by at most this share, which covers
/// the rounding that two equal values may accumulate.
inline constexpr double kBoundRounding = 1e-11;

}  // namespace spca

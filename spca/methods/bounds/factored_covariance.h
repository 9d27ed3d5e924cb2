#pragma once

/// A with A'A = S for a dense S that rounding, or printed digits, may have made indefinite: what
/// the relaxations need, with the error that the factor leaves.

#include <functional>
#include <memory>
#include <vector>

#include "spca/base/types.h"
#include "spca/methods/bounds/relaxation_terms.h"

namespace spca {

/// A, rank x p, with A'A = the given positive semidefinite matrix, p x p, but for rounding: by
/// Cholesky with pivots. O(p^2 rank).
Matrix pivoted_cholesky(const Matrix& matrix);
/// The same if `keep_going`, asked before each row, does not say no; then 0 x 0.
Matrix pivoted_cholesky(const Matrix& matrix, const std::function<bool()>& keep_going);

/// S <= unit (A'A + excess I), unit the largest variance, A of n x p. The excess is what rounding
/// leaves of S, and more for an S that is slightly indefinite.
class FactoredCovariance {
 public:
  virtual ~FactoredCovariance() = default;
  FactoredCovariance() = default;
  FactoredCovariance(const FactoredCovariance&) = delete;
  FactoredCovariance& operator=(const FactoredCovariance&) = delete;

  virtual Index dimension() const = 0;  // n
  virtual Index variables() const = 0;  // p
  /// Whether A is formed, so that products with it are cheap.
  virtual bool is_formed() const = 0;
  /// A of these variables, in their order.
  virtual std::shared_ptr<const RelaxationColumns> columns(
      const std::vector<int>& variables) const = 0;
  /// The same for few variables, formed.
  virtual Matrix formed(const Support& variables) const = 0;
  /// ||a_i||^2 of all variables.
  virtual Vector squared_lengths() const = 0;
  /// A'x of all variables.
  virtual Vector products(const Vector& x) const = 0;

  double unit() const { return unit_; }
  double excess() const { return excess_; }
  /// What lambda_max of the factor's part has to exceed for a support to be better than `value`.
  double limit(double value) const;
  /// The same for the value less prices, which may be any number: rounding is that of the unit.
  double priced_limit(double value) const;

 protected:
  double unit_ = 1;
  double excess_ = 0;
};

/// The factor of a dense S, by Cholesky with pivots; n is the rank of S. `matrix` is S, p x p, with
/// a positive variance. `keep_going` is asked before each column; null if it says no.
std::unique_ptr<FactoredCovariance> factor_covariance(const Matrix& matrix,
                                                      const std::function<bool()>& keep_going);
std::unique_ptr<FactoredCovariance> factor_covariance(const Matrix& matrix);

/// lambda_max(S_II), S = A'A.
double largest_variance_on(const FactoredCovariance& factor, const Support& support);

/// A value counts as matched by a bound that exceeds it by this share of itself: what rounding
/// may add up to on equal supports.
inline constexpr double kBoundRounding = 1e-11;

}  // namespace spca

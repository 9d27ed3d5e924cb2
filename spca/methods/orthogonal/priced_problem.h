#pragma once

/// A symmetric A, which need not be semidefinite, and gains pi as a pricing problem
/// (support_pricer.h). M = (A + sigma I) / u is positive semidefinite with the largest eigenvalue
/// 1, and the prices are mu_i = (max(pi) - pi_i) / u. Then for k variables
///
///   lambda_max(A_II) + pi(I) = u (lambda_max(M_II) - mu(I)) + k max(pi) - sigma

#include "spca/base/types.h"

namespace spca {

/// Values of supports are sums of about k^2 products. A bound is raised by this share of the
/// largest value against rounding.
inline constexpr double kRoundingOfValues = 1e-10;

class PricedProblem {
 public:
  /// `of`: A, p x p; `gains`: pi, p, >= 0.
  PricedProblem(const Matrix& of, const Vector& gains);

  const Matrix& matrix() const { return matrix_; }  // M
  const Vector& prices() const { return prices_; }  // mu
  double unit() const { return unit_; }             // u

  /// lambda_max(A_II) + pi(I) of k variables, from lambda_max(M_II) - mu(I).
  double value_of(double net, Index k) const { return unit_ * net + added(k); }
  /// lambda_max(M_II) - mu(I) of k variables, from lambda_max(A_II) + pi(I).
  double net_of(double value, Index k) const { return (value - added(k)) / unit_; }
  /// Bounds the rounding of the value of a support of k variables.
  double rounding(Index k) const {
    return kRoundingOfValues * (unit_ + shift_ + static_cast<double>(k) * most_);
  }

 private:
  double added(Index k) const { return static_cast<double>(k) * most_ - shift_; }

  double shift_ = 0;  // sigma
  double unit_ = 1;
  double most_ = 0;  // max(pi)
  Matrix matrix_;
  Vector prices_;
};

}  // namespace spca

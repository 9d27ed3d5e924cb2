#pragma once

/// The relaxation of Fantope projection and selection, for r components at once:
///
///   max Tr(SH) - rho sum_ij |H_ij|  s.t. 0 <= H <= I, Tr H = r
///   dual: min (sum of the r largest eigenvalues of S + U)  s.t. |U_ij| <= rho
///
/// Source  Vu, Cho, Lei, Rohe, Fantope projection and selection, NIPS 2013: (1), Lemma 1 for the
///         projection, Algorithm 1

#include "spca/covariance/covariance.h"
#include "spca/dense/dense_products.h"
#include "spca/solving/budget.h"
#include "spca/solving/certificate.h"

namespace spca {

/// Returns the variables that the penalty does not rule out, ascending: j remains if some |S_ij|
/// exceeds rho. The others have no covariance that is worth its penalty. If fewer than r remain,
/// those of largest variance join them.
Support worth_a_covariance(const Covariance& covariance, double rho, Index r);

/// The relaxation, in units of the largest variance.
class FantopeRelaxation {
 public:
  /// The largest variance of `covariance` is 1; 1 <= r <= its order.
  FantopeRelaxation(Matrix covariance, double rho, Index r);

  /// Solves until the relative gap is within `gap` or the budget ends. The trace has the primal
  /// value times `unit`.
  void solve(double gap, double unit, Budget& budget);
  Index size() const { return covariance_.rows(); }
  /// Returns a sparse matrix near the Fantope.
  const Matrix& sparse() const { return z_; }
  const Matrix& dual() const { return dual_; }
  const Matrix& covariance() const { return covariance_; }
  /// The value of H, which is in the Fantope.
  double primal_value() const {
    return inner_product(covariance_, h_) - rho_ * h_.cwiseAbs().sum();
  }
  double dual_value() const { return dual_value_; }
  bool has_closed(double gap) const {
    return dual_value_ - primal_value() <= gap * std::abs(dual_value_);
  }

 private:
  void consider_dual(const Matrix& dual);

  Matrix covariance_;
  double rho_;
  Index r_;
  Matrix h_;
  Matrix z_;
  Matrix dual_;
  double dual_value_ = 0;
};

/// The dual matrix U on `variables`. For unit v with k nonzeros v'Sv <= lambda_max(S + U) + rho
/// ||v||_1^2. Outside the variables U is -S cut to the box, so S + U is zero there if no
/// covariance there exceeds rho; check() verifies that.
class FantopeCertificate final : public BoundCertificate {
 public:
  FantopeCertificate(double rho, Support variables, Matrix dual)
      : rho_(rho), variables_(std::move(variables)), dual_(std::move(dual)) {}

 protected:
  double do_check(const Covariance& covariance, Index k, Budget& budget) const override;

 private:
  double rho_;
  Support variables_;
  Matrix dual_;
};

}  // namespace spca

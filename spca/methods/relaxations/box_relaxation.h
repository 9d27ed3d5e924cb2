#pragma once

/// The semidefinite relaxation of sparse PCA with an l1 penalty:
///
///   max Tr(SZ) - rho sum_ij |Z_ij|  s.t. Tr Z = 1, Z positive semidefinite
///   dual: min lambda_max(S + U)  s.t. |U_ij| <= rho
///
/// Source  A. d'Aspremont, L. El Ghaoui, M. Jordan, G. Lanckriet, SIAM Review 49:434, 2007

#include <limits>

#include "spca/covariance/covariance.h"
#include "spca/dense/dense_products.h"
#include "spca/solving/budget.h"
#include "spca/solving/certificate.h"

namespace spca {

/// Returns the variables that may be worth `rho` to a v that maximises v'Sv - rho ||v||_0. A
/// variable adds at most S_ii to the largest eigenvalue of a semidefinite S_II. If only S + sigma I
/// is semidefinite, it adds at most S_ii + sigma.
Support worth_their_price(const Covariance& covariance, double rho);

/// The relaxation on an S whose largest variance is 1. Z is feasible and U in the box throughout,
/// so that primal_value() and dual_value() enclose the optimum whenever the iteration ends.
class BoxRelaxation {
 public:
  BoxRelaxation(Matrix covariance, double rho)
      : covariance_(std::move(covariance)),
        rho_(rho),
        z_(Matrix::Identity(size(), size()) / static_cast<double>(size())),
        dual_((-covariance_).cwiseMax(-rho).cwiseMin(rho)) {}

  Index size() const { return covariance_.rows(); }
  const Matrix& z() const { return z_; }
  const Matrix& dual() const { return dual_; }
  double primal_value() const {
    return inner_product(covariance_, z_) - rho_ * z_.cwiseAbs().sum();
  }
  double dual_value() const { return dual_value_; }
  bool has_closed(double gap) const { return dual_value_ - primal_value() <= gap * dual_value_; }

  /// Both solve until the relative gap is within `gap`: by rows of X (block coordinates), and by
  /// ADMM. The trace has the primal value times `unit`.
  void solve_by_rows(double gap, double unit, Budget& budget);
  void solve_by_admm(double gap, double unit, Budget& budget);

 private:
  void consider_dual(Matrix dual);
  void update_row(Index j, double beta, Matrix& x, Matrix& rows) const;

  Matrix covariance_;
  double rho_;
  Matrix z_;
  Matrix dual_;
  double dual_value_ = std::numeric_limits<double>::infinity();
};

/// The dual matrix U of the variables that are worth rho; whatever lies outside the box is cut. For
/// |U_ij| <= rho and unit v with k nonzeros
///
///   v'Sv = v'(S + U)v - v'Uv <= lambda_max(S + U) + rho ||v||_1^2 <= lambda_max(S + U) + rho k
///
/// The other variables can be left out: no v that maximises v'Sv - rho ||v||_0 has them.
class BoxCertificate final : public BoundCertificate {
 public:
  BoxCertificate(double rho, Matrix dual) : rho_(rho), dual_(std::move(dual)) {}

 protected:
  double do_check(const Covariance& covariance, Index k, Budget& budget) const override;

 private:
  double rho_;
  Matrix dual_;
};

}  // namespace spca

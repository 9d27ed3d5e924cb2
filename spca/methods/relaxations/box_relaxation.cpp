#include "spca/methods/relaxations/box_relaxation.h"

#include <algorithm>
#include <cmath>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/tridiagonal_form.h"
#include "spca/methods/relaxations/box_admm.h"
#include "spca/methods/relaxations/penalty_relaxation.h"

namespace spca {
namespace {

double top_eigenvalue(const Matrix& matrix) {
  return symmetric_eigenvalues(matrix)[matrix.rows() - 1];
}

/// The positive root of t^3 + c t^2 - beta t - r, beta > 0, r >= 0.
double positive_root(double c, double beta, double r) {
  double low = 0;
  double high = 1;
  const auto value = [&](double t) { return ((t + c) * t - beta) * t - r; };
  while (value(high) <= 0) {
    high *= 2;
  }
  double t = high;  // to the right of the root the polynomial is convex: Newton falls towards it
  for (int step = 0; step < 200; ++step) {
    const double slope = (3 * t + 2 * c) * t - beta;
    const double newton = slope > 0 ? t - value(t) / slope : low;
    const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
    (value(next) > 0 ? high : low) = next;
    if (std::abs(next - t) <= 1e-15 * t) {
      return next;
    }
    t = next;
  }
  return t;
}

/// The nearest matrix of trace 1 that is positive semidefinite.
Matrix project_to_spectrahedron(const Matrix& matrix) {
  double shift = 0;
  const SymmetricEigenpairs pairs = leading_symmetric_eigenpairs(matrix, [&](const Vector& values) {
    const Index p = values.size();
    double sum = 0;
    Index kept = 0;
    while (kept < p) {
      sum += values[p - kept - 1];
      const double candidate = (sum - 1) / static_cast<double>(kept + 1);
      if (values[p - kept - 1] - candidate <= 0) {
        break;
      }
      shift = candidate;
      ++kept;
    }
    return kept;
  });
  const Vector values = pairs.values.tail(pairs.vectors.cols()).array() - shift;
  return product_transposed(scaled_columns(pairs.vectors, values), pairs.vectors);
}

}  // namespace

Support worth_their_price(const Covariance& covariance, double rho) {
  return eliminate_by_penalty(covariance.diagonal().array() + covariance.semidefinite_shift(), rho);
}

double BoxCertificate::do_check(const Covariance& covariance, Index k, Budget& budget) const {
  const Support variables = worth_their_price(covariance, rho_);
  const double price = rho_ * static_cast<double>(k);
  if (variables.empty()) {
    return price;
  }
  if (std::ssize(variables) != dual_.rows() || !dual_.allFinite()) {
    return std::numeric_limits<double>::infinity();
  }
  if (!budget.next()) {
    return std::numeric_limits<double>::infinity();
  }
  const Matrix inside = symmetric_part(dual_).cwiseMax(-rho_).cwiseMin(rho_);
  return price + top_eigenvalue(covariance.submatrix(variables) + inside);
}

/// Replaces dual_ by `dual`, cut to the box, if that has a lower value.
void BoxRelaxation::consider_dual(Matrix dual) {
  dual = symmetric_part(dual).cwiseMax(-rho_).cwiseMin(rho_);
  const double value = top_eigenvalue(covariance_ + dual);
  if (value < dual_value_) {
    dual_value_ = value;
    dual_ = std::move(dual);
  }
}
/// Updates row and column j of X (Zhang and El Ghaoui 2011, Algorithm 1). Let Y be X without row
/// and column j. Column j of `rows` becomes the u that minimises u'Yu over |u - s_j| <= rho, and
/// the new row of X is Yu / tau, tau the root of a cubic.
void BoxRelaxation::update_row(Index j, double beta, Matrix& x, Matrix& rows) const {
  // At most this number of passes over u. With 20 the rows are not solved to optimality, and the
  // sweeps converge slowly (measured on lymphoma500).
  constexpr int kPasses = 500;
  // The passes end once no coordinate moves by more than this, relative to the largest variance.
  constexpr double kSettledMove = 1e-9;
  const Index m = size();
  x.col(j).setZero();
  x.row(j).setZero();
  auto u = rows.col(j);
  u[j] = 0;
  Vector product = x * u;
  for (int pass = 0; pass < kPasses; ++pass) {
    double largest_move = 0;
    for (Index i = 0; i < m; ++i) {
      if (i == j) {
        continue;
      }
      const double s = covariance_(i, j);
      const double next = std::clamp(u[i] - product[i] / x(i, i), s - rho_, s + rho_);
      const double move = next - u[i];
      if (move != 0) {
        product += move * x.col(i);
        u[i] = next;
        largest_move = std::max(largest_move, std::abs(move));
      }
    }
    if (largest_move <= kSettledMove) {
      break;
    }
  }
  const double rest = covariance_(j, j) - rho_ - x.trace();
  const double tau = positive_root(rest, beta, std::max(u.dot(product), 0.0));
  x.col(j) = product / tau;
  x.row(j) = x.col(j).transpose();
  x(j, j) = rest + tau;
}

void BoxRelaxation::solve_by_rows(double gap, double unit, Budget& budget) {
  constexpr double kBarrierShare = 0.3;  // share of the gap that the barrier costs at its optimum
  constexpr double kFirstBarrier = 0.1;
  constexpr double kBarrierFactor = 0.7;  // per sweep
  constexpr Index kMostBarrierSteps = 1000;
  const Index m = size();
  const double least = kBarrierShare * gap * (1 - rho_) * (1 - rho_);
  double barrier = kFirstBarrier;
  Matrix x = Matrix::Identity(m, m);
  Matrix rows = covariance_;
  bool goes_on = true;
  for (Index sweep = 0; sweep < kMostBarrierSteps && goes_on; ++sweep) {
    const double value = unit * primal_value();
    for (Index j = 0; j < m && goes_on; ++j) {
      goes_on = budget.next(value);
      if (goes_on) {
        update_row(j, barrier / static_cast<double>(m), x, rows);
      }
    }
    barrier = std::max(kBarrierFactor * barrier, least);
    // X / Tr X is feasible. Each column u of `rows` differs from s_j by at most rho, so rows - S is
    // a dual matrix once it is made symmetric. On its diagonal, -rho is best.
    z_ = x / x.trace();
    Matrix dual = rows - covariance_;
    dual.diagonal().setConstant(-rho_);
    consider_dual(std::move(dual));
    if (has_closed(gap)) {
      break;
    }
  }
}

void BoxRelaxation::solve_by_admm(double gap, double unit, Budget& budget) {
  run_box_admm(covariance_, rho_, z_,
               {.project = project_to_spectrahedron,
                .consider_dual = [this](Matrix dual) { consider_dual(std::move(dual)); },
                .has_closed = [&] { return has_closed(gap); },
                .keep_going = [&] { return budget.next(unit * primal_value()); }});
}

}  // namespace spca

/// Sparse PCA by the semidefinite relaxation with an l1 penalty.
///
/// Problem  max Tr(SZ) - rho sum_ij |Z_ij| s.t. Tr Z = 1, Z positive semidefinite,
///          rho = penalty * max_i S_ii. Dual: min lambda_max(S + U) s.t. |U_ij| <= rho
/// Step     method block-coordinate: one row and column of X at a time in
///            max Tr(SX) - rho sum |X_ij| - (Tr X)^2 / 2 + beta log det X,
///          Z = X / Tr X; a row is a box-constrained quadratic program, by coordinates, and a cubic
///          method admm: Z is projected to the feasible set and a copy of it shrunk by turns
/// Start    X = I, or Z = 0
/// Stops    if (dual - primal) / dual is within `gap`
/// Answer   the leading eigenvector of Z, cut at `threshold` times its largest entry or to the
///          `round_to` largest
/// Cost     with m remaining variables, O(m^3) times a few passes a sweep over all rows; admm an
///          eigendecomposition of m x m an iteration; an iteration is a row, or a step of admm
/// Order    rows are updated by falling sums of |S_ij|, so that the order of the variables does not
///          matter beyond rounding. The search for a penalty can depend on rounding: the relaxation
///          ends within `gap`, and a loading near `threshold` may fall on either side
/// Bound    v'Sv <= lambda_max(S + U) + rho ||v||_1^2 <= lambda_max(S + U) + rho k
/// Source   A. d'Aspremont, L. El Ghaoui, M. Jordan, G. Lanckriet, SIAM Review 49:434, 2007 (the
///          relaxation); Y. Zhang, L. El Ghaoui, Large-scale sparse principal component analysis
///          with application to text data, NIPS 2011 (elimination and rows); S. Boyd et al.,
///          Foundations and Trends in Machine Learning 3:1, 2011 (ADMM)
/// Differs  the weight beta falls from sweep to sweep. With the last one from the start, 1000
///          sweeps often do not close a gap of 1e-4 that twenty to thirty now do (m = 12).
///          Variables with S_ii <= rho are eliminated, which is safe for max v'Sv - rho ||v||_0 and
///          so for the bound. It is not safe for the relaxation with the l1 norm itself: its
///          optimum can be larger if the covariance of such a variable with a remaining one exceeds
///          rho

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/ascent/thresholded_power.h"
#include "spca/methods/bounds/penalty_relaxation.h"
#include "spca/solving/solver.h"

namespace spca::solver_dspca {
namespace {

struct DspcaOptions {
  double penalty = 0.1;
  std::string method = "block-coordinate";
  double gap = 1e-3;
  double threshold = 1e-2;
  Index round_to = 0;
  bool refit = true;

  void describe(OptionVisitor& visit) {
    visit("penalty", penalty,
          "rho relative to the largest variance; 1 eliminates all variables, 0 keeps all of them",
          between(0, 1));
    visit("method", method, "how the relaxation is solved", {"block-coordinate", "admm"});
    visit("gap", gap, "relative distance of primal and dual that ends the iteration",
          between(1e-8, 1));
    visit("threshold", threshold, "loadings below this share of the largest are cut",
          between(0, 1));
    visit("round_to", round_to, "number of largest loadings to keep; 0: cut by `threshold`",
          at_least(0));
    visit("refit", refit, "replace the loadings by the leading eigenvector on their support");
  }
};

// At most this number of variables: an iteration is O(m^3); S_TT and U take 16 m^2 bytes.
constexpr Index kMostVariables = 2000;

/// The variables that may be worth `rho` to a v that maximises v'Sv - rho ||v||_0. A variable adds
/// at most S_ii to the largest eigenvalue of a semidefinite S_II. If only S + sigma I is
/// semidefinite, it adds at most S_ii + sigma.
Support worth_their_price(const Covariance& covariance, double rho) {
  return eliminate_by_penalty(covariance.diagonal().array() + covariance.semidefinite_shift(), rho);
}

double largest_eigenvalue(const Matrix& matrix) {
  return symmetric_eigenvalues(matrix)[matrix.rows() - 1];
}

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
  double do_check(const Covariance& covariance, Index k, Budget& budget) const override {
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
    return price + largest_eigenvalue(covariance.submatrix(variables) + inside);
  }

 private:
  double rho_;
  Matrix dual_;
};

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

  void solve_by_rows(double gap, double unit, Budget& budget);
  void solve_by_admm(double gap, double unit, Budget& budget);

 private:
  /// Keeps the better of the two duals.
  void offer_dual(Matrix dual) {
    dual = symmetric_part(dual).cwiseMax(-rho_).cwiseMin(rho_);
    const double value = largest_eigenvalue(covariance_ + dual);
    if (value < dual_value_) {
      dual_value_ = value;
      dual_ = std::move(dual);
    }
  }
  void update_row(Index j, double beta, Matrix& x, Matrix& rows) const;

  Matrix covariance_;
  double rho_;
  Matrix z_;
  Matrix dual_;
  double dual_value_ = std::numeric_limits<double>::infinity();
};

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

/// Column j of `rows` is u: min u'Yu over |u - s_j| <= rho, Y being X without row and column j. The
/// new row of X is Yu / tau, tau the root of a cubic (Zhang and El Ghaoui 2011, Algorithm 1).
void BoxRelaxation::update_row(Index j, double beta, Matrix& x, Matrix& rows) const {
  // With 20 passes the sweeps converge slowly, because unsolved rows are not optimal (measured on
  // lymphoma500).
  constexpr int kPasses = 500;
  // Relative to the largest variance: at most this move of a coordinate.
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
  constexpr Index kSweeps = 1000;
  const Index m = size();
  const double least = kBarrierShare * gap * (1 - rho_) * (1 - rho_);
  double barrier = kFirstBarrier;
  Matrix x = Matrix::Identity(m, m);
  Matrix rows = covariance_;
  bool goes_on = true;
  for (Index sweep = 0; sweep < kSweeps && goes_on; ++sweep) {
    const double value = unit * primal_value();
    for (Index j = 0; j < m && goes_on; ++j) {
      goes_on = budget.next(value);
      if (goes_on) {
        update_row(j, barrier / static_cast<double>(m), x, rows);
      }
    }
    barrier = std::max(kBarrierFactor * barrier, least);
    // X / Tr X is feasible. s_j moved by at most rho to u in each row, so rows - S is a dual matrix
    // once it is made symmetric; on the diagonal -rho is the best.
    z_ = x / x.trace();
    Matrix dual = rows - covariance_;
    dual.diagonal().setConstant(-rho_);
    offer_dual(std::move(dual));
    if (has_closed(gap)) {
      break;
    }
  }
}

/// The nearest matrix of trace 1 that is positive semidefinite.
Matrix project_to_spectrahedron(const Matrix& matrix) {
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(matrix);
  double sum = 0;
  double shift = 0;
  for (Index kept = 1; kept <= matrix.rows(); ++kept) {
    sum += pairs.values[matrix.rows() - kept];
    const double candidate = (sum - 1) / static_cast<double>(kept);
    if (pairs.values[matrix.rows() - kept] - candidate <= 0) {
      break;
    }
    shift = candidate;
  }
  const Vector values = (pairs.values.array() - shift).cwiseMax(0.0);
  return product_transposed(scaled_columns(pairs.vectors, values), pairs.vectors);
}

void BoxRelaxation::solve_by_admm(double gap, double unit, Budget& budget) {
  constexpr Index kIterations = 20000;
  constexpr Index kCheck = 10;
  constexpr double kUnbalanced = 10;  // of the two residuals
  const Index m = size();
  double step = 1;  // of the augmented term: variances are at most 1, and so is Tr Z
  Matrix copy = Matrix::Zero(m, m);
  Matrix multiplier = Matrix::Zero(m, m);
  for (Index i = 0; i < kIterations && budget.next(unit * primal_value()); ++i) {
    z_ = project_to_spectrahedron(copy - multiplier + covariance_ / step);
    const Matrix before = std::move(copy);
    const Matrix sum = z_ + multiplier;
    copy = sum.unaryExpr([level = rho_ / step](double entry) {
      return std::copysign(std::max(std::abs(entry) - level, 0.0), entry);
    });
    multiplier = sum - copy;
    if ((i + 1) % kCheck != 0) {
      continue;  // the dual value takes another eigenvalue
    }
    offer_dual(-step * multiplier);
    if (has_closed(gap)) {
      break;
    }
    const double primal = (z_ - copy).norm();
    const double dual = step * (copy - before).norm();
    // The step balances the residuals: Boyd et al. 2011, equation (3.13).
    const double factor = primal > kUnbalanced * dual ? 2 : dual > kUnbalanced * primal ? 0.5 : 1;
    step *= factor;
    multiplier /= factor;
  }
}

/// The leading eigenvector of Z without negligible loadings, on the variables of S.
Component rounded(const Matrix& z, const Support& variables, const DspcaOptions& options) {
  const Vector loadings = leading_eigenpair(z).vector;
  Support kept;
  if (options.round_to > 0) {
    kept = top_k(loadings, std::min(options.round_to, loadings.size()));
  } else {
    const double level = options.threshold * loadings.cwiseAbs().maxCoeff();
    for (Index i = 0; i < loadings.size(); ++i) {
      if (std::abs(loadings[i]) >= level) {
        kept.push_back(i);
      }
    }
  }
  Component component = normalized(restrict_to(loadings, kept));
  component.support = members_at(variables, component.support);
  return component;
}

/// The positions of the variables, those with the largest sums of |S_ij| first. The rows of the
/// relaxation are updated one after the other. With this order the answer does not depend on the
/// original order of the variables.
std::vector<Index> order_of_rows(const Matrix& covariance) {
  const Vector sums = covariance.cwiseAbs().colwise().sum();
  std::vector<Index> order(static_cast<std::size_t>(sums.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return sums[a] > sums[b]; });
  return order;
}

/// Undoes `ordered` = matrix(order, order).
Matrix in_given_order(const Matrix& ordered, const std::vector<Index>& order) {
  Matrix matrix(ordered.rows(), ordered.cols());
  matrix(order, order) = ordered;
  return matrix;
}

Solution solve_dspca(const Problem& problem, const DspcaOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const double unit = std::pow(longest_column(covariance), 2);
  const double rho = options.penalty * unit;
  const Support variables = worth_their_price(covariance, rho);
  if (variables.empty()) {
    return make_solution({Component{}}, budget);
  }
  if (std::ssize(variables) > kMostVariables) {
    return skipped(fmt::format("the penalty leaves {} variables; accepted: at most {}",
                               variables.size(), kMostVariables));
  }
  const Matrix s = covariance.submatrix(variables) / unit;
  const std::vector<Index> order = order_of_rows(s);
  BoxRelaxation relaxation(selected(s, order, order), options.penalty);
  if (options.method == "admm") {
    relaxation.solve_by_admm(options.gap, unit, budget);
  } else {
    relaxation.solve_by_rows(options.gap, unit, budget);
  }
  const Component component = rounded(in_given_order(relaxation.z(), order), variables, options);
  Solution solution =
      make_solution({options.refit ? refitted(covariance, component) : component}, budget);
  if (solution.status == Status::kConverged && !relaxation.has_closed(options.gap)) {
    solution.status = Status::kIterationLimit;
  }
  solution.facts = {{"rho", rho},
                    {"variables", static_cast<double>(variables.size())},
                    {"primal", unit * relaxation.primal_value()},
                    {"dual", unit * relaxation.dual_value()}};
  solution.certificate =
      std::make_shared<BoxCertificate>(rho, unit * in_given_order(relaxation.dual(), order));
  return solution;
}

SPCA_SOLVER("dspca", solve_dspca,
            (Traits{.summary = "semidefinite relaxation with an l1 penalty",
                    .problem = "max Tr(SZ) - rho sum |Z_ij| s.t. Tr Z = 1, Z psd",
                    .source = "d'Aspremont, El Ghaoui, Jordan, Lanckriet, SIAM Review 2007",
                    .rule = SparsityRule::kPenalty,
                    .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}}));

}  // namespace
}  // namespace spca::solver_dspca

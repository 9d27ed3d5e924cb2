/// Sparse PCA as a regression with an elastic net, r sparse components at once.
///
/// Problem  minimise over A (p x r, A'A = I) and B (p x r):
///          ||X - XBA'||_F^2 + lambda_2 ||B||_F^2 + sum_j lambda_1j ||b_j||_1; in terms of S
///          minimise -2 Tr A'SB + Tr B'(S + lambda_2 I)B + sum_j lambda_1j ||b_j||_1.
///          As lambda_2 grows, S + lambda_2 I becomes a multiple of I (`thresholding`)
/// Step     each b_j: an elastic net, by coordinate descent on the rows of S that are active; for
///          `thresholding` the closed form b_j = soft threshold of Sa_j. Then A <- polar factor of
///          SB (a Procrustes problem). Loadings are b_j / ||b_j||
/// Start    A = the r leading eigenvectors of S
/// Stops    when minus the criterion (up to Tr S) grows by no more than `tolerance` times itself
/// Cost     r products of S with dense and r with sparse vectors, O(p r^2), S on the active
///          variables and sweeps over it, a step; never p x p
/// Source   Zou, Hastie, Tibshirani, Sparse principal component analysis, J. Computational and
///          Graphical Statistics 15, 2006: criterion (3.12), Algorithm 1; (3.14) for `thresholding`
/// Differs  lambda_1j / 2 = penalty_j * max_i |Sa_j|_i at the start, so that one range fits all
///          data and components. With one penalty for several components some can lose every
///          variable while others keep many. lambda_2 is the largest variance by default: among
///          nearly identical variables, lambda_2 = 0 keeps only a few, and recovers none of
///          the spiked supports. The elastic net of a step is solved on the variables that are
///          nonzero or violate its optimality when the step begins. The next step adds those that
///          then violate it, and the criterion falls all the same. With the default `refit` the
///          loadings are the leading eigenvector on each support, without the shrinkage, because
///          components of equal cardinality are compared by variance. The paper's are b_j / ||b_j||
///          (`refit` false)
#include <algorithm>
#include <cmath>

#include "spca/base/error.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/thresholded_power.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::solver_spca_l1 {
namespace {

// The limits of effort below were chosen by trial, not measured.

/// At most this number of sweeps for one elastic net. The alternation returns to it, so an
/// unfinished one costs no accuracy.
constexpr int kMaximumSweeps = 50;
/// An elastic net ends when the relative gain of a sweep is below this share of `tolerance`.
constexpr double kSweepShare = 0.1;

struct SpcaL1Options {
  std::vector<double> penalty = {0.4};  // one for all components, or r
  double ridge = 1;
  bool thresholding = false;
  double tolerance = kObjectiveTolerance;
  bool refit = true;

  void describe(OptionVisitor& visit) {
    visit("penalty", penalty,
          "lambda_1j relative to the value at which component j has no variable at the start; 0 "
          "keeps all variables; one for all components or one for each",
          between(0, 1));
    visit("ridge", ridge,
          "lambda_2 over the largest variance; the paper takes 0 where n > p; unused with "
          "`thresholding`",
          at_least(0));
    visit("thresholding", thresholding,
          "the limit of a large lambda_2, which the paper advises where p is far above n");
    visit("tolerance", tolerance,
          "relative growth of the objective below which the iteration stops", at_least(0));
    visit("refit", refit,
          "replace the loadings by the leading eigenvector on their support; otherwise b / ||b||");
  }
};

/// One column b of B, with its level and active set.
struct Regression {
  double level = 0;  // lambda_1j / 2
  Component b;
  Vector product;  // Sb
  Support active;  // the variables of `covariance`
  Matrix covariance;
};

double soft(double x, double level) { return std::copysign(std::max(std::abs(x) - level, 0.0), x); }

/// Returns 2 a'Sb - b'Qb - 2 level ||b||_1, with Q = S + ridge I, or I for `thresholding`.
double gain(const Regression& column, const Vector& target, double ridge, bool thresholding) {
  const Vector& b = column.b.values;
  const double quadratic = thresholding
                               ? b.squaredNorm()
                               : b.dot(column.product(column.b.support)) + ridge * b.squaredNorm();
  return 2 * b.dot(target(column.b.support)) - quadratic - 2 * column.level * b.lpNorm<1>();
}

/// Returns the variables that are nonzero or violate the optimality of b for the target Sa. For a
/// zero b_i, optimality means |(Sa)_i - (Sb)_i| <= level.
Support active_variables(const Regression& column, const Vector& target) {
  Support active;
  const Support& nonzeros = column.b.support;
  auto next = nonzeros.begin();
  for (Index i = 0; i < target.size(); ++i) {
    if (next != nonzeros.end() && *next == i) {
      active.push_back(i);
      ++next;
    } else if (std::abs(target[i] - column.product[i]) > column.level) {
      active.push_back(i);
    }
  }
  return active;
}

/// Minimises b'(S + ridge I)b - 2 target'b + 2 level ||b||_1 over the active variables.
void elastic_net(const Covariance& covariance, const Vector& target, double ridge, double tolerance,
                 Regression& column) {
  Support active = active_variables(column, target);
  // The submatrix is most of the cost, and the active set soon stays the same.
  if (active != column.active) {
    column.covariance = covariance.submatrix(active);
    column.active = std::move(active);
  }
  const Matrix& s = column.covariance;
  const Index m = s.rows();
  Vector b = Vector::Zero(m);
  for (Index i = 0, t = 0; i < m && t < column.b.cardinality(); ++i) {
    if (column.active[static_cast<std::size_t>(i)] ==
        column.b.support[static_cast<std::size_t>(t)]) {
      b[i] = column.b.values[t++];
    }
  }
  Vector product = s * b;
  for (int sweep = 0; sweep < kMaximumSweeps; ++sweep) {
    double progress = 0;
    double size = 0;
    for (Index i = 0; i < m; ++i) {
      const double curvature = s(i, i) + ridge;
      // Only an S that a Hotelling deflation made indefinite has such a variable.
      if (!(curvature > 0)) {
        continue;
      }
      const double wanted = target[column.active[static_cast<std::size_t>(i)]];
      // The exact minimum over b_i, the other entries fixed: b_i <- soft((Sa)_i - sum_{l != i} S_il
      // b_l, level) / (S_ii + ridge).
      const double updated = soft(wanted - product[i] + s(i, i) * b[i], column.level) / curvature;
      const double change = updated - b[i];
      if (change != 0) {
        product.noalias() += change * s.col(i);
        b[i] = updated;
        progress += curvature * change * change;
      }
      size += curvature * updated * updated;
    }
    // sum Q_ii (change of b_i)^2 is about the gain of the sweep.
    if (progress <= tolerance * size) {
      break;
    }
  }
  column.b.support.clear();
  column.b.values.resize(m);
  for (Index i = 0; i < m; ++i) {
    if (b[i] != 0) {
      column.b.values[column.b.cardinality()] = b[i];
      column.b.support.push_back(column.active[static_cast<std::size_t>(i)]);
    }
  }
  column.b.values.conservativeResize(column.b.cardinality());
}

std::vector<Regression> make_regressions(const Matrix& targets,
                                         const std::vector<double>& penalty) {
  std::vector<Regression> columns(static_cast<std::size_t>(targets.cols()));
  for (Index j = 0; j < targets.cols(); ++j) {
    Regression& column = columns[static_cast<std::size_t>(j)];
    column.level = penalty[static_cast<std::size_t>(j)] * targets.col(j).cwiseAbs().maxCoeff();
    column.product = Vector::Zero(targets.rows());
  }
  return columns;
}

/// Alternates until the criterion stalls. `targets` is SA, p x r.
void alternate(const Covariance& covariance, const SpcaL1Options& options, Matrix targets,
               std::vector<Regression>& columns, Budget& budget) {
  const double ridge = options.ridge * covariance.diagonal().maxCoeff();
  Matrix products(targets.rows(), targets.cols());
  Vector target(targets.rows());
  Vector scratch;
  double objective = 0;
  while (budget.next(objective)) {
    const double previous = objective;
    objective = 0;
    for (Index j = 0; j < targets.cols(); ++j) {
      Regression& column = columns[static_cast<std::size_t>(j)];
      target = targets.col(j);
      if (options.thresholding) {
        apply_threshold(target, 1, Threshold::kSoft, column.level, scratch, column.b);
      } else {
        elastic_net(covariance, target, ridge, kSweepShare * options.tolerance, column);
      }
      covariance.multiply(column.b, column.product);
      objective += gain(column, target, ridge, options.thresholding);
      products.col(j) = column.product;
    }
    if (objective - previous <= options.tolerance * objective) {
      return;
    }
    // With B fixed, Tr A'SB over A'A = I is largest at the polar factor of SB (Theorem 4 of the
    // paper).
    const Matrix a = polar_factor(products);
    for (Index j = 0; j < targets.cols(); ++j) {
      covariance.multiply(Vector(a.col(j)), target);
      targets.col(j) = target;
    }
  }
}

Solution solve_spca_l1(const Problem& problem, const SpcaL1Options& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const std::vector<double> penalty =
      one_for_each(options.penalty, problem.components, "/options/penalty");
  const Eigenpairs leading =
      leading_eigenpairs(covariance, problem.components, Exact::kPairs, Copies::kAny);
  if (!(leading.values[0] > 0)) {
    throw NumericalError("S has no positive eigenvalue");
  }
  const Vector values = leading.values.cwiseMax(0.0);
  const Matrix targets = leading.vectors * values.asDiagonal();
  std::vector<Regression> columns = make_regressions(targets, penalty);
  alternate(covariance, options, targets, columns, budget);
  std::vector<Component> components;
  components.reserve(columns.size());
  for (Regression& column : columns) {
    components.push_back(options.refit ? refitted(covariance, column.b)
                                       : normalized(std::move(column.b)));
  }
  return make_solution(std::move(components), budget);
}

SPCA_SOLVER("spca-l1", solve_spca_l1,
            (Traits{
                .summary = "sparse PCA by alternating elastic net and Procrustes steps",
                .problem = "min ||X - XBA'||_F^2 + lambda_2 ||B||_F^2 + sum_j lambda_1j ||b_j||_1 "
                           "s.t. A'A = I",
                .source = "Zou, Hastie, Tibshirani, J. Comp. Graph. Statistics 2006",
                .rule = SparsityRule::kPenalty,
                .multiple_components = true,
                .semidefinite = "the regressions need an S = X'X",
                .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}}));

}  // namespace
}  // namespace spca::solver_spca_l1

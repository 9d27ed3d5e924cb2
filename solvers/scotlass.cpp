/// SCoTLASS: principal components whose loadings have a bounded l1 norm and are orthogonal.
///
/// Problem  one after the other: maximise v_j'Sv_j s.t. ||v_j||_2 = 1, ||v_j||_1 <= t_j,
///          v_i'v_j = 0 for i < j; t_j = 1 + bound_j * (sqrt(p) - 1)
/// Step     v <- the vector within the constraints of largest product with (S + tau I)v
///          (bounded_direction.h); tau makes S + tau I positive semidefinite, so v'Sv + tau is
///          convex and a step lowers it only if it has to drop the variables of earlier components
/// Start    the leading eigenvectors u_1 .. u_j of S; the best result is kept
/// Stops    when v'Sv grows by no more than `tolerance` times itself, or no vector is left within
///          the constraints that raises it
/// Cost     r eigenvectors once; then, for each step, a product of S with the sparse v, a sort of p
///          numbers, and O(p + j^3) some tens of times (bounded_direction.h); never p x p
/// Source   Jolliffe, Trendafilov, Uddin, A modified principal component technique based on the
///          LASSO, Journal of Computational and Graphical Statistics 12, 2003
/// Differs  the paper follows the projected gradient of v'Sv less a penalty for ||v||_1 > t, from
///          several starts, and drops small loadings; here each step is exact and the zeros are
///          too. With the default `refit` the loadings are the best on their support that are
///          orthogonal to the components before, because components of equal cardinality are
///          compared by variance; the paper's are v (`refit` false). The problem of the first
///          component is that of pmd. An answer with more nonzeros than requested is not truncated:
///          it would not be orthogonal

#include <cmath>
#include <limits>
#include <memory>

#include "spca/covariance/deflated_covariance.h"
#include "spca/covariance/principal_covariance.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/bounded_direction.h"
#include "spca/methods/ascent/thresholded_power.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::solver_scotlass {
namespace {

struct ScotlassOptions {
  std::vector<double> bound = {0.3};  // one for all components, or r
  double tolerance = kObjectiveTolerance;
  bool refit = true;

  void describe(OptionVisitor& visit) {
    visit("bound", bound,
          "limit of ||v||_1: 0 is 1 (one variable), 1 is sqrt(p) (all variables), linear between; "
          "one for all components or one for each",
          between(0, 1));
    visit("tolerance", tolerance,
          "relative growth of the objective below which the iteration stops", at_least(0));
    visit("refit", refit,
          "replace the loadings by the best on their support that are orthogonal to the "
          "components before; otherwise v itself");
  }
};

struct Ascent {
  Component component;
  /// v'Sv; negative only if S is indefinite.
  double value = -std::numeric_limits<double>::infinity();
};

/// Ascends from the vector within the constraints that is nearest to `start`.
Ascent ascend(const Covariance& covariance, const BoundedDirections& directions,
              const Vector& start, double tolerance, Budget& budget) {
  Ascent best;
  Component next = directions.best(start);
  Vector product(covariance.variables());
  const double shift = covariance.semidefinite_shift();
  while (!next.support.empty() && budget.next(best.value)) {
    covariance.multiply(next, product);
    const double value = sparse_dot(next, product);
    const double growth = value - best.value;
    // A step that drops the variables of earlier components may lower the value.
    if (growth > 0 || best.component.support.empty()) {
      best = {.component = std::move(next), .value = value};
    }
    if (growth <= tolerance * std::abs(value)) {
      return best;
    }
    add_scaled(shift, best.component, product);
    next = directions.best(product);
  }
  return best.component.support.empty() ? Ascent{.component = std::move(next)} : best;
}

/// Returns the unit vector on the component's support of largest v'Sv that is orthogonal to the
/// components before.
Component best_orthogonal(const Covariance& covariance, const BoundedDirections& directions,
                          const Component& component) {
  const Matrix span = directions.span_on(component.support);
  if (span.cols() == 0) {
    return refitted(covariance, component);
  }
  DeflatedCovariance restricted(
      std::make_shared<PrincipalCovariance>(covariance, component.support));
  for (Index i = 0; i < span.cols(); ++i) {
    restricted.project(from_dense(span.col(i)));
  }
  const Component best = directions.projected(
      {.support = component.support,
       .values = leading_eigenpairs(restricted, 1, Exact::kPairs, Copies::kAny).vectors.col(0)});
  return covariance.quadratic_form(best) > covariance.quadratic_form(component) ? best : component;
}

Solution solve_scotlass(const Problem& problem, const ScotlassOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Index p = covariance.variables();
  const Index r = problem.components;
  if (r > p) {
    return skipped(kMoreThanVariables);
  }
  longest_column(covariance);  // throws if there is no variance
  const std::vector<double> bounds = one_for_each(options.bound, r, "/options/bound");
  const Matrix starts = leading_eigenpairs(covariance, r, Exact::kPairs, Copies::kAny).vectors;
  budget.phases().finish("eigenpairs");
  std::vector<Component> components;
  std::vector<Component> earlier;  // those that are not empty
  for (Index j = 0; j < r; ++j) {
    const double bound =
        1 + bounds[static_cast<std::size_t>(j)] * (std::sqrt(static_cast<double>(p)) - 1);
    const BoundedDirections directions(earlier, p, bound);
    Ascent best;
    for (Index i = 0; i <= j && (i == 0 || !budget.out_of_time()); ++i) {
      budget.begin_loop();
      Ascent found = ascend(covariance, directions, starts.col(j - i), options.tolerance, budget);
      if (found.value > best.value || best.component.support.empty()) {
        best = std::move(found);
      }
    }
    if (options.refit && !best.component.support.empty()) {
      best.component = best_orthogonal(covariance, directions, best.component);
    }
    if (!best.component.support.empty()) {
      earlier.push_back(best.component);
    }
    components.push_back(std::move(best.component));
  }
  return make_solution(std::move(components), budget);
}

SPCA_SOLVER("scotlass", solve_scotlass,
            (Traits{
                .summary = "orthogonal components with an l1 bound on the loadings",
                .problem = "max v'Sv s.t. ||v||_2 = 1, ||v||_1 <= t, v_i'v_j = 0",
                .source = "Jolliffe, Trendafilov, Uddin, JCGS 2003",
                .rule = SparsityRule::kPenalty,
                .multiple_components = true,
                .orthogonal = true,
                .tuning = {.option = "bound", .minimum = 0, .maximum = 1, .increasing = true}}));

}  // namespace
}  // namespace spca::solver_scotlass

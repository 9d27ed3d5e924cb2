/// Several sparse orthogonal components that may share variables, with a proof, by branch and
/// bound.
///
/// Problem  maximise tr(U'SU)  s.t. U'U = I, ||u_t||_0 <= k_t. The option `constraint` requires
///          uncorrelated scores, u_s'S u_t = 0, in place of orthogonal loadings, or both
/// Step     a relaxation with a price matrix Lambda on the span of the components, which counts on
///          the union of their supports, and searches for the best component at these prices
///          (orthogonal_bound.h); then a division by the supports that may be in a better answer,
///          if they can be enumerated (orthogonal_tree.h), and by the number of supports that have
///          a variable, with bounds that need no search (overlap_tree.h)
/// Start    the answer of `orthogonal-ascent`, which is also the answer returned; with uncorrelated
///          scores alone from its start `both`, too
/// Stops    if the bound is within `accuracy` of the value, if nothing is left to divide, or at a
///          limit of rounds or nodes; with status iteration_limit and a message if the gap is then
///          more than twice `accuracy`
/// Bound    of the node of largest bound. The harness computes it again from S and from the
///          multipliers of the nodes. With uncorrelated scores, alone or with both conditions, the
///          fact `bound` is that of uncorrelated_bound.h if it is less, and holds for such scores
///          alone; the harness bounds wider sets of answers: orthogonal loadings, or any
/// Cost     S of p variables is formed. A step of a node costs O(p^2 r), some steps O(p^3). A
///          division by supports goes through all of these in each node
/// Source   this project; the problem: Cory-Wright, Pauphilet, Operations Research 2026

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "spca/dense/dense_selections.h"
#include "spca/methods/joint/disjoint.h"
#include "spca/methods/orthogonal/orthogonal_ascent.h"
#include "spca/methods/orthogonal/orthogonal_certificate.h"
#include "spca/methods/orthogonal/uncorrelated_bound.h"
#include "spca/solving/nested_solver.h"
#include "spca/solving/solver.h"

namespace spca::solver_orthogonal_branch {
namespace {

// The search for the answer has at most this share of the time, unless it finds nothing in it.
// Chosen by trial, not measured.
constexpr double kShareOfAscent = 0.25;
// The share of the time for the bound on orthogonal loadings, if the scores are uncorrelated, too.
constexpr double kShareOfLoadings = 0.3;
// A smaller gap is rounding, for any accuracy.
constexpr double kNoGap = 1e-9;
// S has at most this number of variables: matrices of this size are decomposed in each node.
constexpr Index kMostVariables = 2000;

struct OrthogonalBranchOptions {
  std::string constraint = kOrthogonal;
  double accuracy = 1e-5;
  OrthogonalAscentRule rule = {.from_both = true, .rounds = 12};

  void describe(OptionVisitor& visit) {
    visit("constraint", constraint,
          "products of different components that vanish: u_s'u_t (orthogonal), u_s'S u_t "
          "(uncorrelated), or both",
          {kOrthogonal, kUncorrelated, kBoth});
    visit("accuracy", accuracy, "relative distance of value and bound that ends the search",
          between(0, 1));
    visit("patience", rule.patience, "hops without gain after which a round of the ascent ends",
          at_least(0));
    visit("rounds", rule.rounds,
          "largest number of rounds of the ascent, which end when three have the best value",
          at_least(1));
  }
};

/// The bound on what was asked for, with a proof for orthogonal loadings.
OrthogonalBound bound_of(const UncorrelatedRequest& request, const Orthogonality& asked,
                         bool is_semidefinite, Budget& budget) {
  const bool by_scores = asked.of_scores && is_semidefinite;
  OrthogonalBound bound;
  if (asked.of_loadings) {
    Budget part = budget.part(by_scores ? kShareOfLoadings : 1);
    bound = orthogonal_bound(request.matrix, request.cardinality, request.known, request.accuracy,
                             by_scores ? part : budget, request.value, request.threads);
  } else {
    bound.proof.point.factor = Matrix::Zero(request.matrix.rows(), 1);
  }
  if (by_scores) {
    const UncorrelatedBound other = uncorrelated_bound(request, budget);
    bound.value = std::min(bound.value, other.value);
    bound.oracles += other.oracles;
  } else if (!asked.of_loadings) {
    bound.value =
        orthogonal_bound_at(request.matrix, request.cardinality, bound.proof.point, budget);
  }
  return bound;
}

/// Infinity if the value is not positive.
double gap_of(double value, double bound) {
  return value > 0 ? std::max(0.0, bound / value - 1) : std::numeric_limits<double>::infinity();
}

/// The answer with its bound, and the status that follows from both.
Solution with_bound(std::vector<Component> components, double value, OrthogonalBound bound,
                    double accuracy, const Budget& budget) {
  Solution solution = make_solution(std::move(components), budget);
  const double gap = gap_of(value, bound.value);
  if (solution.status == Status::kConverged && gap > std::max(2 * accuracy, kNoGap)) {
    solution.status = Status::kIterationLimit;
    solution.message =
        fmt::format("the search ended with the bound {:.2g} % above the value", 100 * gap);
  }
  solution.facts = {{"bound", bound.value},
                    {"gap", gap},
                    {"oracles", static_cast<double>(bound.oracles)},
                    {"nodes", static_cast<double>(bound.nodes)}};
  solution.certificate = orthogonal_certificate(std::move(bound.proof));
  return solution;
}

Solution solve_orthogonal_branch(const Problem& problem, const OrthogonalBranchOptions& options,
                                 Budget& budget) {
  if (problem.components == 1) {
    return run_nested_solver(problem, "branch-bound", {}, problem.cardinality, "/options", budget);
  }
  const Covariance& covariance = problem.covariance;
  if (problem.components > covariance.variables()) {
    return skipped(kMoreThanVariables);
  }
  const Orthogonality asked = orthogonality_named(options.constraint);
  Budget for_ascent = budget.part(kShareOfAscent);
  std::vector<Component> components =
      orthogonal_ascent(problem, options.rule, asked, for_ascent).components;
  if (components.empty() && for_ascent.out_of_time()) {
    components = orthogonal_ascent(problem, options.rule, asked, budget).components;
  }
  budget.phases().finish("ascent");
  if (components.empty()) {
    return budget.is_time_up() ? make_solution({}, budget)
                               : skipped(nothing_found(options.constraint));
  }
  components = components_in_order(covariance, std::move(components), problem.cardinality);
  std::vector<Support> supports;
  double value = 0;
  for (const Component& component : components) {
    supports.push_back(component.support);
    value += covariance.quadratic_form(component);
  }
  const Matrix matrix = covariance.submatrix(all_variables(covariance.variables()));
  OrthogonalBound bound = bound_of({.matrix = matrix,
                                    .cardinality = problem.cardinality,
                                    .known = supports,
                                    .of_loadings = asked.of_loadings,
                                    .value = value,
                                    .accuracy = options.accuracy,
                                    .threads = problem.threads},
                                   asked, !(covariance.semidefinite_shift() > 0), budget);
  budget.phases().finish("bound");
  budget.add_bound(bound.value, value);
  if (budget.is_time_up()) {
    budget.record_end(value);
  }
  return with_bound(std::move(components), value, std::move(bound), options.accuracy, budget);
}

SPCA_SOLVER("orthogonal-branch", solve_orthogonal_branch,
            (Traits{.summary = "orthogonal components that may share variables, with a proof, by "
                               "branch and bound",
                    .problem = "max tr(U'SU)  s.t. U'U = I, ||u_t||_0 <= k_t",
                    .source = "this project; the problem: Cory-Wright, Pauphilet, Oper. Res. 2026",
                    .multiple_components = true,
                    .orthogonal = true,
                    .seeded = true,
                    .largest_p = kMostVariables}));

}  // namespace
}  // namespace spca::solver_orthogonal_branch

/// Several sparse components with disjoint supports, with a proof, by column generation.
///
/// Problem  maximise Tr(V'SV)  s.t. ||v_j||_2 = 1, ||v_j||_0 <= k_j, disjoint supports
/// Step     a linear program chooses among supports; its prices on the variables lead to better
///          ones, which ascents find; if they find none, a search by branch and bound proves how
///          much a support could be worth at these prices (disjoint_bound.h)
/// Start    the answer of the solver `start`: the result is never below it
/// Stops    if the bound is within `accuracy` of the value, or if nothing is left to divide; then
///          with status iteration_limit and a message if there is a gap. If the program takes
///          supports in part, the problem is divided by two variables: either one support has
///          both, or none has both
/// Bound    sum_i mu_i + sum_k c_k max(0, n_k(mu)), c_k the number of components with k variables,
///          n_k the largest lambda_max(S_II) less the prices mu on I, |I| = k. The harness repeats
///          the search for n_k
/// Cost     S of p variables, and tables of 20 p^2 bytes; the time of a proof of n_k depends on the
///          data. With many variables S is formed of those that can pay for a place, at most
///          `core`, chosen by the prices on a previous core. The bound covers the others by the
///          most that they can add to a support (outside_variables.h)
/// Source   the problem: Asteris, Papailiopoulos, Kyrillidis, Dimakis, NIPS 2015; set packing by
///          column generation: Desrochers, Desrosiers, Solomon, Operations Research 1992

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spca/covariance/shifted_covariance.h"
#include "spca/dense/dense_selections.h"
#include "spca/methods/joint/disjoint.h"
#include "spca/methods/joint/padding.h"
#include "spca/methods/packing/proven_core.h"
#include "spca/solving/nested_solver.h"
#include "spca/solving/solver.h"

namespace spca::solver_branch_price {
namespace {

constexpr const char* kOwnName = "branch-price";

/// The solvers whose answers may be the start.
Choices disjoint_solvers() {
  Choices names = solvers_other_than(kOwnName);
  std::erase_if(names, [](const std::string& name) {
    return !SolverRegistry::instance().get(name, "").traits.disjoint;
  });
  return names;
}

struct BranchPriceOptions {
  std::string start = "bipart-ascent";
  double accuracy = 1e-9;
  Index core = 1200;

  void describe(OptionVisitor& visit) {
    visit("start", start, "the solver whose answer is improved", disjoint_solvers());
    visit("accuracy", accuracy, "relative distance of value and bound that ends the search",
          between(0, 1));
    visit("core", core,
          "largest number of variables of which S is formed: those that can pay for a place. The "
          "bound covers the others by the most that they can add to a support. The whole of S is "
          "formed for up to a quarter more variables, but at most 800",
          between(1, 20'000));
  }
};

/// Returns the supports at full size: loadings that are exactly zero are not listed, and their
/// places go to the first variables that are in no support.
std::vector<Support> supports_of(const std::vector<Component>& components, const Problem& problem) {
  std::vector<Support> supports;
  for (const Component& component : components) {
    supports.push_back(component.support);
  }
  fill_up(supports, problem.cardinality, all_variables(problem.covariance.variables()));
  return supports;
}

/// Infinity if there is no bound, even without any known supports.
double gap_of(const DisjointOptimum& optimum) {
  if (std::isinf(optimum.bound)) {
    return optimum.bound;
  }
  return optimum.value > 0 ? std::max(0.0, optimum.bound / optimum.value - 1) : 0;
}

// A smaller gap is rounding, for any accuracy.
constexpr double kNoGap = 1e-9;

/// A search that ends by itself has converged only if there is no gap. Variables outside the
/// core leave a gap if they could pay for a place: no search includes them.
void say_what_is_open(const DisjointOptimum& optimum, Index core, Index p, Solution& solution) {
  const double gap = gap_of(optimum);
  if (solution.status != Status::kConverged || optimum.is_closed || gap <= kNoGap) {
    return;
  }
  solution.status = Status::kIterationLimit;
  solution.message = fmt::format(
      "the search ended with the bound {:.2g} % above the value: {}", 100 * gap,
      core < p ? fmt::format("S was formed of {} of the {} variables (option core)", core, p)
               : "no problem is left to divide");
}

Solution solve_branch_price(const Problem& problem, const BranchPriceOptions& options,
                            Budget& budget) {
  if (lacks_variables(problem)) {
    return solve_padded(problem, [&](const Problem& padded) {
      return solve_branch_price(padded, options, budget);
    });
  }
  Solution start =
      run_nested_solver(problem, options.start, {}, problem.cardinality, "/options/start", budget);
  budget.phases().finish("start");
  if (start.components.empty() || budget.is_time_up()) {
    return start;
  }
  budget.begin_loop();
  // The bounds need a positive semidefinite matrix. On S + sigma I every component explains sigma
  // more.
  const ShiftedCovariance shifted(problem.covariance);
  const Problem proved{.covariance = shifted.semidefinite(),
                       .components = problem.components,
                       .cardinality = problem.cardinality,
                       .seed = problem.seed,
                       .threads = problem.threads};
  ProvenOptimum proven = proven_optimum(proved, supports_of(start.components, problem),
                                        options.core, options.accuracy, budget);
  DisjointOptimum& optimum = proven.optimum;
  const double added = static_cast<double>(problem.components) * shifted.shift();
  optimum.value -= added;
  optimum.bound -= added;
  std::vector<Component> components =
      components_on(problem.covariance, optimum.supports, problem.cardinality);
  const auto value_of = [&](const std::vector<Component>& of) {
    return std::accumulate(of.begin(), of.end(), 0.0, [&](double sum, const Component& one) {
      return sum + problem.covariance.quadratic_form(one);
    });
  };
  if (components.empty() || value_of(components) < value_of(start.components)) {
    components = std::move(start.components);
  }
  Solution solution = make_solution(std::move(components), budget);
  say_what_is_open(optimum, std::ssize(proven.core), problem.covariance.variables(), solution);
  solution.facts = {{"bound", optimum.bound},
                    {"gap", gap_of(optimum)},
                    {"core", static_cast<double>(proven.core.size())},
                    {"columns", static_cast<double>(optimum.columns)},
                    {"programs", static_cast<double>(optimum.programs)},
                    {"proofs", static_cast<double>(optimum.proofs)},
                    {"rows", static_cast<double>(optimum.rows)},
                    {"branches", static_cast<double>(optimum.branches)}};
  solution.certificate = certificate_of(std::move(proven));
  return solution;
}

SPCA_SOLVER(kOwnName, solve_branch_price,
            (Traits{
                .summary = "disjoint components with a proof, by column generation",
                .problem = "max Tr(V'SV)  s.t. ||v_j|| = 1, ||v_j||_0 <= k_j, disjoint supports",
                .source = "this project; the problem: Asteris et al., NIPS 2015",
                .multiple_components = true,
                .disjoint = true,
                .seeded = true,
                .semidefinite = "the proof needs lambda_max(S_II) >= 0 for every support"}));

}  // namespace
}  // namespace spca::solver_branch_price

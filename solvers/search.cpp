/// An anytime search for one component, for a few variables or a million.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     ascents, exchanges of variables and random hops (anytime_search.h). The best support
///          of any step is kept
/// Start    the answers of the solvers of `first`, and a given start of at most k nonzeros. If p
///          exceeds the size of the core, also the `starts` variables of largest variance, as many
///          rows of X of largest norm, and a path from larger cardinalities
/// Stops    after `rounds` rounds of hops, or `patience` rounds without gain; or when time is up
/// Cost     the first solvers; some products of S with k-sparse vectors for each start; then a
///          dense matrix of M x M for a core of M variables, on which a hop takes tens of
///          exchanges of O(M k) each. A search for exchanges among all variables takes O(p k)
/// Source   this project. Ascent: Yuan, Zhang, JMLR 2013. Hops and exchanges: iterated local
///          search, Lourenco, Martin, Stuetzle, Handbook of Metaheuristics 2003
/// Differs  not applicable: there is no paper. The answer is never below those of `first`

#include "spca/methods/ascent/anytime_search.h"
#include "spca/solving/nested_solver.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_search {
namespace {

constexpr const char* kOwnName = "search";
constexpr const char* kFirstOption = "/options/first";

struct SearchOptions {
  std::vector<std::string> first = {"tpower"};
  AnytimeRule rule = {};

  void describe(OptionVisitor& visit) {
    visit("first", first, "solvers whose answers start the search", solvers_other_than(kOwnName));
    visit("starts", rule.starts,
          "number of variables, and of rows of X, to start from if p is larger than the core",
          at_least(1));
    visit(
        "rounds", rule.rounds,
        "number of rounds of eight hops; 0: as many as fit into the time limit, without `patience`",
        at_least(0));
    visit("patience", rule.patience,
          "rounds in a row without gain that end the search; 0: no limit", at_least(0));
    visit("core", rule.core, "number of variables among which hops are made, at least 2 k",
          between(1, 5000));
  }
};

Solution solve_search(const Problem& problem, const SearchOptions& options, Budget& budget) {
  if (!has_positive_variance(problem.covariance)) {
    return skipped(kNoVariance);
  }
  std::vector<Component> first;
  for (const std::string& name : options.first) {
    Solution solution =
        run_nested_solver(problem, name, {}, problem.cardinality, kFirstOption, budget);
    if (is_usable(solution.status) && !solution.components.empty() &&
        !solution.components[0].support.empty()) {
      first.push_back(std::move(solution.components[0]));
    }
  }
  if (problem.start != nullptr && problem.start->cardinality() <= problem.cardinality[0]) {
    first.push_back(*problem.start);
  }
  budget.phases().finish("first");
  budget.begin_loop();
  AnytimeRule rule = options.rule;
  if (rule.rounds == 0) {
    rule.patience = 0;
  }
  AnytimeAnswer answer = anytime_search(problem, rule, first, budget);
  double first_value = 0;
  for (Component& component : first) {
    const double value = problem.covariance.quadratic_form(component);
    first_value = std::max(first_value, value);
    if (value > answer.value) {  // by rounding, or if S is indefinite
      answer.value = value;
      answer.component = std::move(component);
    }
  }
  Solution solution = make_solution({std::move(answer.component)}, budget);
  solution.facts = {{"first_value", first_value},
                    {"hops", static_cast<double>(answer.hops)},
                    {"core", static_cast<double>(answer.core)}};
  return solution;
}

SPCA_SOLVER(kOwnName, solve_search,
            (Traits{.summary = "anytime search by ascents, exchanges and random hops",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "this project",
                    .seeded = true,
                    .warm_start = true,
                    .on_samples = "tpower"}));

}  // namespace
}  // namespace spca::solver_search

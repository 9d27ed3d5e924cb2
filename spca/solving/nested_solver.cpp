#include "spca/solving/nested_solver.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "spca/solving/feasibility.h"
#include "spca/solving/solve.h"
#include "spca/solving/tuning.h"

namespace spca {

Solution run_nested_solver(const Problem& problem, const std::string& name,
                           const std::map<std::string, double>& given,
                           const std::vector<Index>& cardinality, const std::string& where,
                           Budget& budget) {
  const SolverEntry& solver = SolverRegistry::instance().get(name, where);
  const PhaseTimer::Nested nested(budget.phases());
  Problem asked{.covariance = problem.covariance,
                .components = problem.components,
                .start = problem.start,
                .seed = problem.seed,
                .threads = problem.threads};
  // The harness checks this for the outer solver only.
  if (problem.covariance.variables() > solver.traits.largest_p) {
    return skipped(fmt::format("it takes at most {} variables", solver.traits.largest_p));
  }
  if (solver.traits.rule == SparsityRule::kCardinality) {
    asked.cardinality = cardinality;
  }
  // Completed here, so that a bad option is reported before the solve begins.
  Json options = solver.complete_options(Json(given), where);
  const auto solve_checked = [&](const Json& complete) {
    Solution solution = solver.solve(asked, complete, budget);
    refuse_malformed(solution, problem.covariance.variables());
    return solution;
  };
  if (solver.traits.rule == SparsityRule::kPenalty && !cardinality.empty()) {
    // The bisection runs on the caller's budget, so a nested solve cannot exceed the limits of
    // the solve. Nothing is truncated: the caller wants this solver's own answer.
    return tune(solver.traits.tuning, cardinality, false,
                [&](const std::vector<double>& values) {
                  options[solver.traits.tuning.option] = values[0];
                  return solve_checked(solver.complete_options(options, where));
                })
        .solution;
  }
  return solve_checked(options);
}

Choices solvers_other_than(const std::string& name) {
  Choices names = SolverRegistry::instance().names();
  std::erase(names, name);
  return names;
}

}  // namespace spca

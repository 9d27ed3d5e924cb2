#include "spca/solving/solver.h"

#include <utility>

#include "spca/base/options_json.h"

namespace spca {

template class Registry<SolverEntry>;

Solution make_solution(std::vector<Component> components, const Budget& budget) {
  Solution solution;
  solution.components = std::move(components);
  // Time comes first: if both ran out, only the status time_limit tells that the answer depends on
  // the machine.
  solution.status = budget.out_of_time()         ? Status::kTimeLimit
                    : budget.out_of_iterations() ? Status::kIterationLimit
                                                 : Status::kConverged;
  // A Solution starts with the message "not run".
  solution.message.clear();
  return solution;
}

Solution skipped(std::string reason) {
  Solution solution;
  solution.status = Status::kSkipped;
  solution.message = std::move(reason);
  return solution;
}

Index rank_of(const SolverEntry& solver, const Json& options) {
  return solver.traits.rank == kRankOption ? options.at("rank").get<Index>() : solver.traits.rank;
}

SolverEntry make_solver_entry(const char* name, const char* file, const OptionsType& options,
                              ErasedSolver solve, const Traits& traits) {
  return {.name = name,
          .file = file,
          .traits = traits,
          .complete_options =
              [options](const Json& given, const std::string& where) {
                return complete_options(options, given, where);
              },
          .solve =
              [options, solve = std::move(solve)](const Problem& problem, const Json& given,
                                                  Budget& budget) {
                // The options were checked when the experiment was read. Here they are only turned
                // into the struct.
                return solve(problem, read_options(options, given, "/options").get(), budget);
              },
          .describe = [options] { return describe_options(options); }};
}

}  // namespace spca

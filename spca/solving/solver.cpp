#include "spca/solving/solver.h"

#include <utility>

#include "spca/base/options_json.h"
#include "spca/solving/tuning.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca {

template class Registry<SolverEntry>;

Solution make_solution(std::vector<Component> components, const Budget& budget) {
  Solution solution;
  solution.components = std::move(components);
  // Time comes first: if both ran out, only the status time_limit says that the answer depends on
  // the machine. If the time limit ended a step before there was a component, next() was not called
  // after that, so out_of_time() is still false.
  const bool is_late = budget.out_of_time() || (solution.components.empty() && budget.is_time_up());
  solution.status = is_late                      ? Status::kTimeLimit
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

Orthogonality orthogonality_named(const std::string& constraint) {
  return {.of_loadings = constraint != kUncorrelated, .of_scores = constraint != kOrthogonal};
}

Orthogonality orthogonality_of(const SolverEntry& solver, const Json& options) {
  if (!solver.traits.orthogonal) {
    return {};
  }
  return orthogonality_named(options.value("constraint", kOrthogonal));
}

namespace {

/// The options of a solver, with those that the harness adds.
struct AllOptions {
  AllOptions(const OptionsType& type, bool is_tuned)
      : describe_own(type.describe), own(type.make()), has_tuning(is_tuned) {}

  void describe(OptionVisitor& visit) {
    describe_own(own.get(), visit);
    if (has_tuning) {
      tuning.describe(visit);
    }
  }
  void read(const Json& given, const std::string& where) {
    OptionReader reader(given, where);
    describe(reader);
    reader.finish();
  }

  void (*describe_own)(void* options, OptionVisitor& visit);
  std::shared_ptr<void> own;
  bool has_tuning;
  TuningOptions tuning = {};
};

}  // namespace

SolverEntry make_solver_entry(const char* name, const char* file, ErasedSolver solver,
                              const Traits& traits) {
  const OptionsType options = solver.options;
  const bool is_tuned = traits.rule == SparsityRule::kPenalty;
  return {.name = name,
          .file = file,
          .traits = traits,
          .complete_options =
              [options, is_tuned](const Json& given, const std::string& where) {
                AllOptions all(options, is_tuned);
                all.read(given, where);
                OptionWriter writer;
                all.describe(writer);
                return writer.values();
              },
          .solve =
              [options, is_tuned, solve = std::move(solver.solve), reason = traits.semidefinite](
                  const Problem& problem, const Json& given, Budget& budget) {
                if (!reason.empty() && is_indefinite(problem.covariance)) {
                  return skipped("a deflation has made S indefinite: " + reason);
                }
                // The options were checked when the experiment was read. Here they are only turned
                // into the struct.
                AllOptions all(options, is_tuned);
                all.read(given, "/options");
                // Here rather than in each solver: direct and nested calls both pass through here.
                if (!has_variance(problem.covariance)) {
                  return skipped(kNoVariance);
                }
                return solve(problem, all.own.get(), budget);
              },
          .describe =
              [options, is_tuned] {
                AllOptions all(options, is_tuned);
                OptionWriter writer;
                all.describe(writer);
                return writer.descriptions();
              }};
}

bool register_solver(const char* name, const char* file, ErasedSolver solver,
                     const Traits& traits) {
  return SolverRegistry::instance().add(make_solver_entry(name, file, std::move(solver), traits));
}

}  // namespace spca

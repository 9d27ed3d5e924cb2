#include "harness/answers/path_solver.h"

#include <nlohmann/json.hpp>

#include "harness/answers/guarded_solver.h"

namespace spca {

PathSolver path_solver(const SolverEntry& solver, const Json& options, const std::string& where) {
  PathSolver result{.entry = &solver, .options = solver.complete_options(options, where)};
  const SolverEntry* const on_samples = SolverRegistry::instance().find(solver.traits.on_samples);
  if (on_samples != nullptr) {
    result.on_samples = std::make_shared<const PathSolver>(
        PathSolver{.entry = &guarded_solver(*on_samples),
                   .options = on_samples->complete_options(Json::object(), where)});
  }
  return result;
}

}  // namespace spca

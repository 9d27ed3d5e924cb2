#include "harness/answers/guarded_solver.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "spca/base/error.h"
#include "spca/measure/solver_laws.h"

namespace spca {
namespace {

Solution failed(std::string message) {
  Solution solution;
  solution.message = std::move(message);
  return solution;
}

}  // namespace

const SolverEntry& guarded_solver(const SolverEntry& solver) {
  require_known_laws(solver);
  static std::map<const SolverEntry*, std::unique_ptr<SolverEntry>> guarded;
  std::unique_ptr<SolverEntry>& entry = guarded[&solver];
  if (!entry) {
    entry = std::make_unique<SolverEntry>(solver);
    entry->solve = [&solver](const Problem& problem, const Json& options, Budget& budget) {
      try {
        return solver.solve(problem, options, budget);
      } catch (const InputError& error) {
        throw InputError(fmt::format("solver {}: {}", solver.name, error.what()));
      } catch (const NumericalError&) {
        throw;
      } catch (const InternalError&) {
        throw;
      } catch (const std::bad_alloc&) {
        throw;
      } catch (const std::exception& error) {
        const std::string message = error.what();
        return failed(message.empty() ? "an exception without a message" : message);
      } catch (...) {
        return failed("an exception that is not a std::exception");
      }
    };
  }
  return *entry;
}

}  // namespace spca

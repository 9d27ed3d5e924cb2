#include "harness/answers/guarded_solver.h"

#include <map>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>

#include "spca/base/error.h"

namespace spca {
namespace {

Solution failed(const char* message) {
  Solution solution;
  solution.message = message;
  return solution;
}

}  // namespace

const SolverEntry& guarded_solver(const SolverEntry& solver) {
  static std::map<const SolverEntry*, std::unique_ptr<SolverEntry>> guarded;
  std::unique_ptr<SolverEntry>& entry = guarded[&solver];
  if (!entry) {
    entry = std::make_unique<SolverEntry>(solver);
    entry->solve = [&solver](const Problem& problem, const Json& options, Budget& budget) {
      try {
        return solver.solve(problem, options, budget);
      } catch (const InputError&) {
        throw;
      } catch (const NumericalError&) {
        throw;
      } catch (const InternalError&) {
        throw;
      } catch (const std::bad_alloc&) {
        throw;
      } catch (const std::exception& error) {
        return failed(error.what());
      } catch (...) {
        return failed("an exception that is not a std::exception");
      }
    };
  }
  return *entry;
}

}  // namespace spca

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

/// Answers at k = 1. From k = 2 on it never ends, and never asks the budget; before that it writes
/// the file that SPCA_TEST_DEAF names.
Solution solve_misbehave_deaf(const Problem& problem, const NoOptions&, Budget& budget) {
  if (problem.cardinality.front() > 1) {
    if (const char* file = std::getenv("SPCA_TEST_DEAF")) {
      std::ofstream(file) << "deaf\n";
    }
    for (;;) {
      pause();
    }
  }
  return make_solution({best_on_support(problem.covariance, {0}).component}, budget);
}

SPCA_SOLVER("misbehave-deaf", solve_misbehave_deaf,
            (Traits{.summary = "never ends from k = 2 on", .problem = "", .source = ""}));

}  // namespace
}  // namespace spca

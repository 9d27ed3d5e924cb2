#include <unistd.h>

#include "spca/solving/solver.h"

namespace spca {
namespace {

/// Never ends, and never asks the budget.
Solution solve_misbehave_hang(const Problem&, const NoOptions&, Budget&) {
  for (;;) {
    pause();
  }
}

SPCA_SOLVER("misbehave-hang", solve_misbehave_hang,
            (Traits{.summary = "never ends", .problem = "", .source = ""}));

}  // namespace
}  // namespace spca

#include "spca/solving/solver.h"

namespace spca {
namespace {

/// Says that it converged, and has no component.
Solution solve_misbehave_empty(const Problem&, const NoOptions&, Budget& budget) {
  return make_solution({}, budget);
}

SPCA_SOLVER("misbehave-empty", solve_misbehave_empty,
            (Traits{.summary = "has no component", .problem = "", .source = ""}));

}  // namespace
}  // namespace spca

#include <unistd.h>

#include "spca/solving/solver.h"

namespace spca {
namespace {

/// Ends the process as if all were well.
Solution solve_misbehave_exit(const Problem&, const NoOptions&, Budget&) { _exit(0); }

SPCA_SOLVER("misbehave-exit", solve_misbehave_exit,
            (Traits{.summary = "ends the process", .problem = "", .source = ""}));

}  // namespace
}  // namespace spca

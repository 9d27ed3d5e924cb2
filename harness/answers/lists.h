#pragma once

#include <string>

#include "spca/base/types.h"
#include "spca/solving/solver.h"

namespace spca {

/// Returns the output of `spca list WHAT --json`. Throws InputError for an unknown `what`.
Json list_of(const std::string& what);
/// Returns the entry of one solver in the list of solvers.
Json solver_summary(const SolverEntry& entry);

}  // namespace spca

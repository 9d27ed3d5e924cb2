#pragma once

#include <string>

#include "spca/base/types.h"
#include "spca/solving/solver.h"

namespace spca {

/// Returns what `spca list WHAT --json` prints. Throws InputError for another word.
Json list_of(const std::string& what);
/// Returns the entry of one solver in the list of solvers.
Json solver_summary(const SolverEntry& entry);

}  // namespace spca

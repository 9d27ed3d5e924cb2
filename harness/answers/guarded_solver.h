#pragma once

#include "spca/solving/solver.h"

namespace spca {

/// Returns a solver with the same answers for a process that no parent process watches: an
/// exception becomes an answer with status failed, as in a run. InputError, std::bad_alloc and
/// failed SPCA_CHECKs pass through because they have exit codes of their own. The returned entry
/// lives until the program ends.
const SolverEntry& guarded_solver(const SolverEntry& solver);

}  // namespace spca

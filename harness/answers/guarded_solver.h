#pragma once

#include "spca/solving/solver.h"

namespace spca {

/// The same solver for a process that has no parent to see it fail: an exception that leaves it is
/// an answer with status failed, as in a run. What the user got wrong (InputError), memory that ran
/// out and our own mistakes (SPCA_CHECK) pass on; they have exit codes of their own. Lives until the
/// program ends.
const SolverEntry& guarded_solver(const SolverEntry& solver);

}  // namespace spca

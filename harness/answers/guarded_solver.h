#pragma once

#include "spca/solving/solver.h"

namespace spca {

/// Returns a solver for a process that no parent process watches. It gives the answers of `solver`,
/// but turns an exception into an answer with status failed, as in a run. InputError,
/// std::bad_alloc and failed SPCA_CHECKs pass through because the program ends with an exit code
/// for them, and NumericalError because solve() turns it into a status. The returned entry lives
/// until the program ends.
const SolverEntry& guarded_solver(const SolverEntry& solver);

}  // namespace spca

#pragma once

#include "spca/solving/solver.h"

namespace spca {

/// Returns whether the solver, or this whole program, was compiled without optimisation. For a
/// solver in another repository this is known if its file includes spca/plugin.h. For a peer
/// nothing is known, and the result is false.
bool is_unoptimised(const SolverEntry& solver);

}  // namespace spca

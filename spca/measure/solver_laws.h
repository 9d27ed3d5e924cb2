#pragma once

#include "spca/solving/solver.h"

namespace spca {

/// Throws InputError, which names the solver and the law, unless every law of the solver is the
/// name of a metric. Metrics and solvers register in any order: this is checked when a solver is
/// chosen.
void require_known_laws(const SolverEntry& solver);

}  // namespace spca

#pragma once

#include "spca/measure/cardinality_path.h"

namespace spca {

/// Returns a solver of a path with all options written out. `options` and `where` are those of
/// SolverEntry::complete_options. The solver that the trait `on_samples` names, if it is linked,
/// has its default options. Throws InputError.
PathSolver path_solver(const SolverEntry& solver, const Json& options, const std::string& where);

}  // namespace spca

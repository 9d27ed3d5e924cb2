#pragma once

#include <map>
#include <string>
#include <vector>

#include "spca/solving/solver.h"

namespace spca {

/// Runs another solver on the same problem, within a solver: for one component, or for several if it
/// takes several itself. `given` are its options; those that it lacks get their defaults. If `cardinality` is not empty, a cardinality
/// solver is given it, and the penalty of a penalty solver is tuned to it. `where` is the JSON
/// pointer of the option that names the solver. Throws InputError for an unknown name or option.
Solution run_nested_solver(const Problem& problem, const std::string& name,
                           const std::map<std::string, double>& given,
                           const std::vector<Index>& cardinality, const std::string& where,
                           Budget& budget);

/// Returns the names of all solvers but this one, for an option's choices.
Choices solvers_other_than(const std::string& name);

}  // namespace spca

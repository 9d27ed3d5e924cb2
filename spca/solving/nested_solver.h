#pragma once

#include <map>
#include <string>
#include <vector>

#include "spca/solving/solver.h"

namespace spca {

/// Runs another solver on the same problem, within a solver: for one component, or for several if
/// the nested solver takes several. `given` are its options; missing options get their defaults. If
/// `cardinality` is not empty, a cardinality solver receives it, and the penalty of a penalty
/// solver is tuned to it. `where` is the JSON pointer of the option that names the solver. Throws
/// InputError for an unknown name or option.
Solution run_nested_solver(const Problem& problem, const std::string& name,
                           const std::map<std::string, double>& given,
                           const std::vector<Index>& cardinality, const std::string& where,
                           Budget& budget);

/// Returns the names of all solvers but `name`, for the choices of an option.
Choices solvers_other_than(const std::string& name);

}  // namespace spca

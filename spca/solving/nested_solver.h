#pragma once

#include <map>
#include <string>
#include <vector>

#include "spca/solving/solver.h"

namespace spca {

/// The solution of another solver on the same problem, of one component, within a solver: with the
/// given options, which may lack those that have defaults. Where `cardinality` is not empty, it is
/// what a cardinality solver gets and what the penalty of a penalty solver is tuned to. Throws
/// InputError for an unknown name or option; `where` is the JSON pointer of the option that names
/// it.
Solution run_nested_solver(const Problem& problem, const std::string& name,
                           const std::map<std::string, double>& given,
                           const std::vector<Index>& cardinality, const std::string& where,
                           Budget& budget);

/// The names of all solvers but this one, for an option's choices.
Choices solvers_other_than(const std::string& name);

}  // namespace spca

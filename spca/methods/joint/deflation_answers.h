#pragma once

/// Disjoint supports found one after the other by solvers of one component: a baseline for a joint
/// search, and a possible start of it.

#include <string>
#include <vector>

#include "spca/solving/solver.h"

namespace spca {

/// Runs the solver `name` with its default options for one component after the other; the variables
/// of a component are removed before the next search, by the deflation remove-support. The seeds
/// are those of the harness (solve.h), so that the supports are those that the harness finds.
///
/// Returns as many supports as there are components, I_j with at most k_j variables. If a component
/// is not found, its support and all later ones are empty: no variance was left, the solver had no
/// answer, or the budget was over.
std::vector<Support> deflation_answer(const Problem& problem, const std::string& name,
                                      const std::string& where, Budget& budget);

}  // namespace spca

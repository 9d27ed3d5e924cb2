#pragma once

/// Disjoint supports found one after the other by solvers of one component: what a joint search is
/// held against, and where it may begin.

#include <string>
#include <vector>

#include "spca/solving/solver.h"

namespace spca {

/// Runs the solver `name` with its default options for one component after the other; the variables
/// of a component are removed before the next is sought, as by the deflation remove-support. The
/// seeds are those that the harness gives (solve.h), so that the supports are those of its answer.
///
/// Returns as many supports as there are components, I_j with at most k_j variables. Those from the
/// first on that was not found are empty: no variance was left, the solver had no answer, or the
/// time of `budget` ran out.
std::vector<Support> deflation_answer(const Problem& problem, const std::string& name,
                                      const std::string& where, Budget& budget);

}  // namespace spca

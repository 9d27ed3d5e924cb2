#pragma once

/// Searches for the penalty with which a solver meets a cardinality.

#include <functional>
#include <vector>

#include "spca/solving/solver.h"

namespace spca {

struct TunedSolution {
  Solution solution;
  /// One value, or one for each component. Empty if no value gives an answer.
  std::vector<double> values;
  bool cardinality_missed = false;
};

/// Runs the solver with one value of its tuned option, or with one for each component.
using SolveWith = std::function<Solution(const std::vector<double>& values)>;

/// Searches in two stages for values that give `cardinality` (k_1, ..., k_r):
///
/// - One value for all components is bisected.
/// - If that does not meet it, r > 1 and `one_for_each`, the values are bisected one after the
///   other: component j's towards k_j while the others are held. There are at most four sweeps over
///   the components, and they end when all cardinalities are met or nothing changes. This is done
///   twice, from the answer of the first stage and from the middle of the range.
///
/// A value moves the other components as well. The second stage is therefore a heuristic and can
/// miss an answer that some values give. The solver runs at most 61 + 240 r times.
///
/// Feasible answers are those with no empty component and none that exceeds its k_j. Returns the
/// one with the most nonzeros. If there is none, the status is numerical_failure, or that of the
/// run that could not be used or ran out of time.
TunedSolution tune(const Tuning& tuning, const std::vector<Index>& cardinality, bool one_for_each,
                   const SolveWith& solve_with);

}  // namespace spca

#pragma once

/// The search for the penalty with which a solver meets a cardinality.

#include <functional>
#include <vector>

#include "spca/solving/solver.h"

namespace spca {

struct TunedSolution {
  Solution solution;
  /// One value, or one for each component; empty where none gives an answer.
  std::vector<double> values;
  bool cardinality_missed = false;
};

/// Runs the solver with one value of its tuned option, or with one for each component.
using SolveWith = std::function<Solution(const std::vector<double>& values)>;

/// Bisects one value for all components until `cardinality` (k_1, ..., k_r) is met. If it is not,
/// r > 1 and `one_for_each`, the values are bisected one after the other, component j's towards k_j
/// while the others are held, in at most four sweeps over the components until all cardinalities
/// are met or nothing changes; once from that answer, once more from the middle of the range. Since
/// a value moves the other components as well, this is a heuristic: it can miss what some values
/// give. It runs the solver at most 61 + 240 r times.
///
/// The answer is the one with the most nonzeros of all that were met on the way in which no
/// component is empty or exceeds its k_j. Without one the status is numerical_failure, or that of
/// the run that could not be used or ran out of time.
TunedSolution tune(const Tuning& tuning, const std::vector<Index>& cardinality, bool one_for_each,
                   const SolveWith& solve_with);

}  // namespace spca

#pragma once

/// Searches for the penalty at which the answer of a solver has the requested cardinality.

#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "spca/base/options.h"
#include "spca/solving/solver.h"

namespace spca {

struct TunedSolution {
  Solution solution;
  /// One value, or one for each component. Empty if no value gives an answer.
  std::vector<double> values;
  /// True if some component has fewer nonzeros than requested.
  bool cardinality_missed = false;
  /// True if the answer has the largest loadings of a larger answer, or is an extended smaller one.
  bool truncated = false;
};

inline constexpr const char* kTruncateOption = "truncate";
inline constexpr const char* kTruncateHelp =
    "if no value gives the cardinality, also consider larger answers, of which the largest "
    "loadings "
    "are kept and refitted; otherwise the nearest from below";

/// The options that every penalty solver has besides its own: how the harness tunes it.
struct TuningOptions {
  bool truncate = true;

  void describe(OptionVisitor& visit) { visit(kTruncateOption, truncate, kTruncateHelp); }
};

/// Returns the option `truncate` of a penalty solver; false if the options do not have it.
bool wants_truncation(const Json& options);

/// Runs the solver with one value of its tuned option, or with one value for each component.
using SolveWith = std::function<Solution(const std::vector<double>& values)>;

/// Searches in two stages for values that give `cardinality` (k_1, ..., k_r):
///
/// - One value for all components is bisected.
/// - If this does not give the cardinality, r > 1 and `one_for_each`, the values are bisected one
///   after the other: that of component j towards k_j while the others are held fixed. There are at
///   most four sweeps over the components, which end when all cardinalities are met or nothing
///   changes. This is done twice, from the answer of the first stage and from the middle of the
///   range.
///
/// A value changes the other components as well. The second stage is therefore a heuristic and can
/// miss values that give the cardinality. The solver runs at most 61 + 240 r times.
///
/// Feasible answers are those with no empty component and none that exceeds its k_j. Returns the
/// one with the most nonzeros.
///
/// If `truncated_on` is not null, it is the S of the problem, and two stages follow if no values
/// give the cardinality:
///
/// - The range is scanned with one value for all components, and every other crossing is bisected,
///   because the number of nonzeros need not be monotone. At most 470 further runs.
/// - Answers that are too large become candidates: of each component with more than k_j nonzeros,
///   the k_j largest are kept, and replaced by the leading eigenvector of S on their variables.
///   Returns the best candidate or the feasible answer, whichever has the larger sum of v_j'Sv_j.
///   If there is no candidate, the densest end of the range is tried. The message gives the
///   cardinalities before the truncation.
///
/// If the time runs out in the search, the status is time_limit, with the best answer so far or
/// none. With `truncated_on` and one component, the feasible answer extended to k variables, by
/// those of largest |(Sv)_j|, and refitted, is then a candidate as well. If there is no answer
/// otherwise, the status is numerical_failure, or that of the run that could not be used.
TunedSolution tune(const Tuning& tuning, const std::vector<Index>& cardinality, bool one_for_each,
                   const SolveWith& solve_with, const Covariance* truncated_on = nullptr);

}  // namespace spca

#pragma once

/// An anytime search for one component, for p of any size.
///
/// Starts
///   The answers of other methods are scored. If the core will not be all of S, truncated power
///   steps on S itself (truncated_power.h) follow: from the rows of X of largest norm, from the
///   variables of largest variance, and from larger cardinalities.
///
/// Core
///   S is formed on a core of variables: all, if there are few, else the best support, the
///   variables j of largest |(Sv)_j| for the best v, and those of largest variance. If the core is
///   all of S, ascents begin at each of its variables.
///
/// Hops
///   In a hop, some members of the core's best support are replaced, or a support is built from one
///   variable and a random half of the core. Ascents and exchanges follow; the best support is
///   kept. Hops run in rounds of kHopsInRound. Each has its own seed, and a round ends before the
///   next begins, so that the result does not depend on the number of threads.
///
/// Widening
///   If the core is not all of S, exchanges are searched among all variables (support_polish.h)
///   after the starts, and whenever the hops end after a gain. If they gain after hops, a new core
///   is formed and the hops continue.
///
/// Every step keeps the best support found, so that the answer is never worse than any start.

#include <vector>

#include "spca/solving/problem.h"
#include "spca/solving/solver.h"

namespace spca {

struct AnytimeRule {
  Index starts = 64;    // number of variables, and of rows of X, from which ascents on S start
  Index rounds = 100;   // number of rounds of hops; 0: until the budget ends
  Index patience = 40;  // rounds without gain that end the search; 0: no limit
  Index core = 1000;    // number of variables, at least 2 k
};

/// Number of hops between two checks of the clock. It does not depend on the number of threads.
/// Chosen by trial, not measured.
inline constexpr Index kHopsInRound = 8;

struct AnytimeAnswer {
  Component component;  // empty only if no variable has variance
  double value = 0;     // v'Sv
  Index hops = 0;
  Index core = 0;  // number of variables of the last core
};

/// Searches for one component with problem.cardinality[0] nonzeros. `first` are answers of other
/// methods, each with at most this number of nonzeros. The result explains at least as much as any
/// of them. The budget's trace receives the best value so far.
AnytimeAnswer anytime_search(const Problem& problem, const AnytimeRule& rule,
                             const std::vector<Component>& first, Budget& budget);

/// Returns the answer as that of a solver, with the size of the core and the number of hops as
/// facts.
Solution anytime_solution(AnytimeAnswer answer, const Budget& budget);

}  // namespace spca

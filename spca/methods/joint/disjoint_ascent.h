#pragma once

/// Disjoint supports by alternating ascent, exchanges and hops, for p of any size.
///
/// Core
///   S is formed on a core of variables, those of largest variance at first. The steps of
///   joint_search.h, and hops, work there.
/// Starts
///   Directions C drawn from the sphere ascend on S_d = V V': v_j is the best on I_j, C_j = V_I'v_j
///   at unit length, and the supports are the assignment for the weights (V C)_ij^2. Their
///   variables join the core. Another start is deflation on the core.
/// Widening
///   The same step on the whole of S, with W_j = S v_j / sqrt(v_j'S v_j): its supports explain no
///   less. Their variables join the core, and hops follow there, until nothing changes.
/// Growth
///   At the end the core is doubled for as long as hops gain there.
///
/// Source  the low-rank step and the assignment: Asteris, Papailiopoulos, Kyrillidis, Dimakis, NIPS
///         2015; ascent, exchanges and hops are this project's

#include "spca/solving/solver.h"
#include "spca/spectrum/low_rank.h"

namespace spca {

/// At most this number of variables in the core: S of them takes 200 MB.
inline constexpr Index kLargestDisjointCore = 5000;

struct DisjointAscentRule {
  bool from_random = true;     // start from random directions
  bool from_deflation = true;  // start from deflation on the core
  Index draws = 32;            // number of random starts
  Index patience = 200;        // hops without gain that end the search; 0: no hops
  Index core = 600;            // number of variables in the first core, at least 2 K
};

struct DisjointAscentAnswer {
  std::vector<Support> supports;  // r; empty if nothing was found
  double value = 0;
  Index core = 0;  // number of variables of the last core
  Index hops = 0;
};

/// Searches for supports of k_j variables, k_1 + ... + k_r <= p. `known`: answers of other methods;
/// some of their supports may have too few variables. The search ascends from them last, so that
/// they do not hide better states from the starts and hops. The result is never below any of them,
/// unless the time is over before.
DisjointAscentAnswer disjoint_ascent(const Problem& problem, const DisjointAscentRule& rule,
                                     const LowRank& low_rank,
                                     const std::vector<std::vector<Support>>& known,
                                     Budget& budget);

}  // namespace spca

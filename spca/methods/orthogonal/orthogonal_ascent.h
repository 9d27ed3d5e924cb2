#pragma once

/// Sparse orthogonal components by starts, hops and rounds, for p of any size.
///
/// Core
///   S is formed on a core: all variables, or those of largest variance and those that ascents for
///   one component find on projected S. The steps of orthogonal_search.h work there.
/// Starts
///   Deflation; disjoint supports by the steps of joint_search.h, from several beginnings and after
///   hops of their own; random directions.
/// Hops
///   One or two components are searched for again, or some variables change places, and the steps
///   follow. They also continue from slightly worse states. After a gain each component is
///   restarted once.
/// Rounds
///   Further rounds begin at random starts, because hops cannot leave a good optimum. They end if
///   several of them, the first included, have come to the best value.
/// Widening
///   The variables of largest |S u_t|, less its part in the span of U, join the core, and hops
///   follow, a few times as long as that gains.

#include <string>
#include <vector>

#include "spca/solving/solver.h"

namespace spca {

struct OrthogonalAscentRule {
  bool from_disjoint = true;   // start from disjoint supports
  bool from_deflation = true;  // start from one component after the other
  bool from_random = true;     // start from random directions
  /// With uncorrelated scores alone: start from the answer of one round with both conditions, which
  /// is feasible. Of the S&P 500, r = 4, k = 5, it led to 2.0 % more variance.
  bool from_both = false;
  Index draws = 8;       // number of random starts, and of starts of disjoint supports
  Index patience = 256;  // hops without gain that end a round; 0: no hops
  Index rounds = 3;      // largest number of rounds, at least 1
  Index agreeing = 3;    // rounds with the best value after which none follows, at least 1
  /// At least 2 (k_1 + ... + k_r) is used. If S has more variables than this, the first core has
  /// about half this number, those of largest variance, and the variables that the ascents find.
  Index core = 1000;
};

struct OrthogonalAscentAnswer {
  std::vector<Component> components;  // r; empty if no feasible ones were found
  Index core = 0;                     // number of variables of the last core
  Index hops = 0;
};

/// The reason for skipping a problem for which nothing was found.
std::string nothing_found(const std::string& constraint);

/// Searches for components that satisfy `asked` up to rounding. 2 <= r <= p.
OrthogonalAscentAnswer orthogonal_ascent(const Problem& problem, const OrthogonalAscentRule& rule,
                                         Orthogonality asked, Budget& budget);

}  // namespace spca

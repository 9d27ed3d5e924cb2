#pragma once

/// Finds the best disjoint supports if all supports that are worth enough beyond their prices are
/// known.
///
/// Let E hold all supports I with lambda_max(S_II) - mu(I) > t_k, k = |I|. Disjoint supports of
/// which at least one, of k variables, is not in E are worth no more than
///
///   sum_i mu_i + t_k + max sum_j (lambda_max(S_{I_j I_j}) - mu(I_j))                           (1)
///
/// where the maximum is over r - 1 other disjoint supports, each in E or worth its own t beyond its
/// prices: each mu_i is paid at most once. A linear program over E bounds the maximum. Disjoint
/// supports that are all in E form a set packing problem without pricing, which is solved by linear
/// programs, cuts, and division by pairs of variables.
///
/// If the value of the linear program over all supports is only a little above the best disjoint
/// supports, the enumeration ends the proof: t_k need only be below the program's share by that
/// gap, and E is small.
///
/// Source  enumeration within the gap: R. Baldacci, N. Christofides, A. Mingozzi, Mathematical
///         Programming 115:351, 2008; (1) is this project's

#include <functional>
#include <map>
#include <vector>

#include "spca/methods/pricing/support_pricer.h"
#include "spca/methods/relaxations/support_pricing.h"

namespace spca {

/// At most this number of supports of one cardinality are enumerated. Chosen by trial, not
/// measured.
inline constexpr std::size_t kMostEnumerated = 20'000;

struct EnumeratedProblem {
  Vector prices = {};                                 // mu >= 0, p
  PairRules rules = {};                               // the allowed supports
  std::map<Index, Index> counts = {};                 // number of supports of k variables wanted
  std::map<Index, EnumeratedSupports> supports = {};  // complete, by cardinality
  double rounding = 0;                                // of the worth of other supports
};

struct EnumeratedOptimum {
  double within = 0;  // an upper bound on the worth of disjoint supports that are all enumerated
  double beyond = 0;  // (1): an upper bound for all others
  std::vector<Support> supports = {};  // the best found, at most as many as are wanted
  double value = 0;                    // their worth
  double bound() const { return within > beyond ? within : beyond; }
};

/// Bounds both kinds of disjoint supports, and finds the best within E. Every enumerated support
/// must have a cardinality that is wanted. Ends when no open node may be worth more than `enough`,
/// or when `keep_going` returns false.
EnumeratedOptimum solve_enumerated(const EnumeratedProblem& problem, double enough,
                                   const std::function<bool()>& keep_going);

}  // namespace spca

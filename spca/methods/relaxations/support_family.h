#pragma once

/// The supports of a node of a search: those of k variables that hold the chosen variables and
/// otherwise only candidates.

#include <vector>

#include "spca/base/types.h"
#include "spca/methods/relaxations/cardinality_relaxation.h"
#include "spca/methods/relaxations/factored_covariance.h"

namespace spca {

/// `chosen` and `candidates` have no variable in common; the candidates keep the order in which
/// they were given.
struct SupportFamily {
  std::vector<int> chosen;
  std::vector<int> candidates;

  /// All supports of the variables 0 .. p - 1.
  static SupportFamily all(Index p);

  /// Number of candidates in each support; negative if too many are chosen.
  Index to_choose(Index k) const { return k - std::ssize(chosen); }
  /// Returns true if only one support is left, unless is_empty().
  bool is_support(Index k) const {
    return to_choose(k) == 0 || std::ssize(candidates) == to_choose(k);
  }
  /// Returns true if no support is left.
  bool is_empty(Index k) const { return to_choose(k) < 0 || std::ssize(candidates) < to_choose(k); }
  /// The only support left, ascending.
  Support support(Index k) const;
  /// Keeps the supports with the candidate `variable`, or those without it. Has no effect if it is
  /// not a candidate.
  void branch(int variable, bool with);
  /// Chooses the candidates settled inside and drops those settled out.
  /// Returns whether anything changes.
  bool settle(const SettledVariables& settled);
};

/// The relaxation of the family's supports of k variables. `prices`: mu of all variables, in units
/// of the factor; empty: none.
CardinalityRelaxation relaxation_on(const FactoredCovariance& factor, const SupportFamily& family,
                                    Index k, const Vector& prices = Vector());

/// The candidates of a family with nonzero h_i at a price. Candidates with ||a_i||^2 <= price are
/// light: their h_i are zero.
struct HeavyCandidates {
  SupportFamily family;          // without the light ones
  std::vector<Index> positions;  // indices of its candidates among all candidates
  // the largest ||a_i||^2 of a light one: they are light at this price and above
  double largest_light = 0;
};

/// Returns the heavy candidates. If none or at least half of them are heavy, all count as heavy.
HeavyCandidates heavy_candidates(const FactoredCovariance& factor, const SupportFamily& family,
                                 double price);

/// Settles variables of the family by a point of the relaxation without prices. The bound is first
/// computed without light candidates. All candidates are included only if the bound exceeds the
/// limit by less than the price; otherwise none can be settled out, and the heavy ones alone are
/// settled inside.
SettledVariables settle_family(const FactoredCovariance& factor, const SupportFamily& family,
                               Index k, const RelaxationPoint& point, const DirectionCuts& cuts,
                               double limit, Index directions,
                               const std::function<bool()>& keep_going);

}  // namespace spca

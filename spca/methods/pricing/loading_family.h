#pragma once

/// A family of supports, given by their leader and by limits of their loadings (loading_bound.h).

#include <cstddef>
#include <limits>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// At least this share of the excess of a bound falls in a round that narrows limits, if another
/// round is to follow. Chosen by trial, not measured.
inline constexpr double kPromisingNarrowing = 0.02;
/// Number of candidates beyond those in the sum whose limits are narrowed. Chosen by trial, not
/// measured.
inline constexpr std::ptrdiff_t kExtraCandidates = 24;

/// The supports of k variables that hold the chosen variables, whose other variables are
/// candidates, and whose leader is the first chosen variable.
struct LoadingFamily {
  std::vector<int> chosen = {};
  std::vector<int> candidates = {};  // those of largest worth first, as many as places
  Vector low = Vector();             // p: limits of the loadings, that of the leader 1
  Vector high = Vector();            // p
  /// An upper bound on the worth of its supports beyond their prices, unless the target is larger.
  double bound = std::numeric_limits<double>::infinity();
  int lifting = -1;  // the candidate that may lift a support most; -1: unknown

  int leader() const { return chosen.front(); }
};

}  // namespace spca

#pragma once

/// A family of supports, given by their leader and by limits of their loadings (loading_bound.h).

#include <cstddef>
#include <limits>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// A round that narrows limits is followed by another only if it lowers the excess of the bound by
/// more than this share. Chosen by trial, not measured.
inline constexpr double kPromisingNarrowing = 0.02;
/// Number of candidates beyond those in the sum whose limits are narrowed. Chosen by trial, not
/// measured.
inline constexpr std::ptrdiff_t kExtraCandidates = 24;

/// The supports of k variables that hold the chosen variables, whose other variables are
/// candidates, and whose leader is the first chosen variable.
struct LoadingFamily {
  std::vector<int> chosen = {};
  std::vector<int> candidates = {};  // first those of largest worth, one for each place left
  Vector low = Vector();             // p: limits of the loadings, that of the leader 1
  Vector high = Vector();            // p
  /// An upper bound on the worth of its supports beyond their prices, unless the target is larger.
  double bound = std::numeric_limits<double>::infinity();
  int lifting = -1;  // the candidate that may lift a support most; -1: unknown

  int leader() const { return chosen.front(); }
};

}  // namespace spca

#pragma once

/// A part of all supports, by their leader and limits of their loadings (loading_bound.h).

#include <limits>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// The supports of k variables that hold the chosen variables and otherwise candidates only, and
/// whose leader is the first chosen one.
struct LoadingFamily {
  std::vector<int> chosen = {};
  std::vector<int> candidates = {};  // those of largest worth first, as many as are missing
  Vector low = Vector();             // p: limits of the loadings, that of the leader 1
  Vector high = Vector();            // p
  /// None is worth more beyond its prices, or the target is larger than all.
  double bound = std::numeric_limits<double>::infinity();
  int lifting = -1;  // the candidate that may lift a support most; -1: not known

  int leader() const { return chosen.front(); }
};

}  // namespace spca

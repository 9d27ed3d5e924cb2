#pragma once

#include <limits>

#include "spca/base/types.h"

namespace spca {

/// What binomial() returns for every number that is at least as large.
inline constexpr Index kLargestBinomial = std::numeric_limits<Index>::max();

/// C(n, k): how many subsets of k of n things there are, n >= 0. Exact below kLargestBinomial, and
/// kLargestBinomial from there on. Zero if k is not within 0..n.
Index binomial(Index n, Index k);

}  // namespace spca

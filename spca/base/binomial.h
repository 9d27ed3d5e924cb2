#pragma once

#include <limits>

#include "spca/base/types.h"

namespace spca {

/// The result of binomial() if C(n, k) is at least this number.
inline constexpr Index kLargestBinomial = std::numeric_limits<Index>::max();

/// Returns C(n, k), the number of subsets of k of n things, n >= 0: exact below kLargestBinomial,
/// otherwise kLargestBinomial. Zero if k is not within 0..n.
Index binomial(Index n, Index k);

}  // namespace spca

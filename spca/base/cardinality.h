#pragma once

#include <numeric>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// Returns K = k_1 + ... + k_r, the number of places for variables in r components.
inline Index total_cardinality(const std::vector<Index>& cardinality) {
  return std::accumulate(cardinality.begin(), cardinality.end(), Index{0});
}

}  // namespace spca

#pragma once

#include <numeric>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// Calls visit(support) for all supports of k of p variables, in lexicographic order; 1 <= k <= p.
template <class Visit>
void for_all_supports(Index p, Index k, const Visit& visit) {
  Support support(static_cast<std::size_t>(k));
  std::iota(support.begin(), support.end(), Index{0});
  while (true) {
    visit(support);
    Index position = k - 1;
    while (position >= 0 && support[static_cast<std::size_t>(position)] == p - k + position) {
      --position;
    }
    if (position < 0) {
      return;
    }
    ++support[static_cast<std::size_t>(position)];
    for (Index next = position + 1; next < k; ++next) {
      support[static_cast<std::size_t>(next)] = support[static_cast<std::size_t>(next - 1)] + 1;
    }
  }
}

}  // namespace spca

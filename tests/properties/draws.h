#pragma once

/// Random draws that several files need.

#include <numeric>
#include <utility>
#include <vector>

#include "spca/base/random.h"
#include "spca/base/types.h"

namespace spca::properties {

/// Draws a whole number uniformly from first, ..., last.
inline Index whole(Random& random, Index first, Index last) {
  return first + static_cast<Index>(random.below(static_cast<std::uint64_t>(last - first + 1)));
}

/// Draws one of the items; there must be at least one.
template <class Item>
const Item& any_of(const std::vector<Item>& items, Random& random) {
  return items[random.below(items.size())];
}

/// Returns 0, ..., p - 1 in random order.
inline Support random_order(Index p, Random& random) {
  Support order(static_cast<std::size_t>(p));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t i = order.size() - 1; i > 0; --i) {
    std::swap(order[i], order[random.below(i + 1)]);
  }
  return order;
}

}  // namespace spca::properties

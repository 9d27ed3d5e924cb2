#include "spca/ranks/row_blocks.h"

#include <algorithm>
#include <bit>

#include "spca/base/error.h"

namespace spca {
namespace {

/// Number of samples whose genotypes lie in one byte.
constexpr Index kTogether = 4;

}  // namespace

RowBlocks::RowBlocks(Index n, int ranks) : samples_(n), ranks_(ranks) {
  SPCA_CHECK(n >= 1 && ranks >= 1, "blocks of no rows, or for no ranks");
  const auto wanted = std::max<unsigned>(kRowBlocks, std::bit_ceil(static_cast<unsigned>(ranks)));
  const Index possible = std::max<Index>(n / kTogether, 1);
  const auto limit = std::bit_floor(static_cast<std::size_t>(possible));
  count_ = static_cast<int>(std::min<std::size_t>(wanted, limit));
}

RowRange RowBlocks::rows(int block) const {
  const auto begin = [this](int b) {
    return b == count_ ? samples_ : samples_ / kTogether * b / count_ * kTogether;
  };
  return {.first = begin(block), .last = begin(block + 1)};
}

RowBlocks::Blocks RowBlocks::of_rank(int rank) const {
  const auto begin = [this](int r) { return static_cast<int>(Index{count_} * r / ranks_); };
  return {.first = begin(rank), .last = begin(rank + 1)};
}

RowRange RowBlocks::rows_of_rank(int rank) const {
  const Blocks blocks = of_rank(rank);
  if (blocks.first == blocks.last) {
    return {};
  }
  return {.first = rows(blocks.first).first, .last = rows(blocks.last - 1).last};
}

}  // namespace spca

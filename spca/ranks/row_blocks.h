#pragma once

/// The division of the rows into blocks, and of the blocks among the ranks.

#include "spca/base/types.h"

namespace spca {

/// Rows first ... last - 1.
struct RowRange {
  Index first = 0;
  Index last = 0;
  Index count() const { return last - first; }
};

/// The n rows in consecutive blocks. The number of blocks is the smallest power of two that is at
/// least kRowBlocks and at least the number of ranks; if n is small, it is the largest power of two
/// that leaves four rows for each block. A rank holds consecutive blocks. Sums over rows are sums
/// over blocks, by one binary tree. So the sums are the same for all numbers of ranks up to
/// kRowBlocks.
class RowBlocks {
 public:
  static constexpr int kRowBlocks = 8;

  /// n >= 1, ranks >= 1.
  RowBlocks(Index n, int ranks);

  Index samples() const { return samples_; }
  int count() const { return count_; }
  /// The rows of a block. All blocks but the last end at a multiple of four rows: four genotypes
  /// lie in one byte.
  RowRange rows(int block) const;
  /// The blocks first ... last - 1 of a rank. Some ranks have none if there are more ranks than
  /// blocks.
  struct Blocks {
    int first = 0;
    int last = 0;
  };
  Blocks of_rank(int rank) const;
  RowRange rows_of_rank(int rank) const;

 private:
  Index samples_;
  int ranks_;
  int count_ = 1;
};

/// The share of one of `ranks` ranks in the rows of data whose n is not known yet.
struct RowShare {
  int rank = 0;
  int ranks = 1;
  bool is_all() const { return ranks == 1; }
  RowRange of(Index n) const { return RowBlocks(n, ranks).rows_of_rank(rank); }
};

}  // namespace spca

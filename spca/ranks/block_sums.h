#pragma once

/// Sums over the blocks of rows of all ranks.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "spca/ranks/rank_group.h"
#include "spca/ranks/row_blocks.h"

namespace spca {

/// Adds up by a perfect binary tree over the blocks: left half plus right half, all the way down.
/// A rank adds up the subtrees that it holds completely. Then each rank receives one part of the
/// entries of all these sums, and finishes the tree for that part. So a rank sends and receives
/// about twice the size of the sum, for any number of ranks.
class BlockSums {
 public:
  BlockSums(std::shared_ptr<RankGroup> group, const RowBlocks& blocks);

  /// Sets `out`, rows x columns, to the contribution of a block of this rank.
  using Leaf = std::function<void(int block, Matrix& out)>;
  /// Returns the sum over all blocks, the same in all ranks. `fingerprint` identifies the arguments
  /// of the sum other than X. Throws InternalError if it differs between ranks: they have diverged.
  Matrix total(Index rows, Index columns, std::uint64_t fingerprint, const Leaf& leaf) const;

  /// Returns a fingerprint of the bits of the numbers.
  static std::uint64_t fingerprint(const double* numbers, Index count);

 private:
  struct Node {
    int first = 0;
    int last = 0;
  };
  struct Received;
  void find_whole(const Node& held, std::vector<Node>& found) const;
  void add_own(const Node& node, Index rows, Index columns, const Leaf& leaf, Matrix& out) const;
  void combine(std::vector<Matrix>& own, std::uint64_t fingerprint, Matrix& result) const;

  std::shared_ptr<RankGroup> group_;
  int blocks_;
  std::vector<std::vector<Node>> whole_;  // of each rank: the largest subtrees that it holds
};

}  // namespace spca

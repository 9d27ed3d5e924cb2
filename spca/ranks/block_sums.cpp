#include "spca/ranks/block_sums.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "spca/base/error.h"

namespace spca {
namespace {

/// At most this number of entries of a sum are sent at once: 32 MB.
constexpr Index kEntriesTogether = Index{1} << 22;
/// Number of bits by which a fingerprint is shifted, so that a double holds it exactly.
constexpr int kFingerprintShift = 64 - 53;

}  // namespace

BlockSums::BlockSums(std::shared_ptr<RankGroup> group, const RowBlocks& blocks)
    : group_(std::move(group)), blocks_(blocks.count()) {
  for (int rank = 0; rank < group_->size(); ++rank) {
    const RowBlocks::Blocks held = blocks.of_rank(rank);
    find_whole({held.first, held.last}, whole_.emplace_back());
  }
}

/// Finds the largest subtrees within `held`, the blocks of a rank, from left to right.
void BlockSums::find_whole(const Node& held, std::vector<Node>& found) const {
  for (int first = held.first; first < held.last;) {
    // A subtree of 2^m blocks begins at a multiple of 2^m.
    int size = first == 0 ? blocks_ : first & -first;
    while (first + size > held.last) {
      size /= 2;
    }
    found.push_back({first, first + size});
    first += size;
  }
}

void BlockSums::add_own(const Node& node, Index rows, Index columns, const Leaf& leaf,
                        Matrix& out) const {
  if (node.last - node.first == 1) {
    leaf(node.first, out);
    SPCA_CHECK(out.rows() == rows && out.cols() == columns, "a part of a sum of another shape");
    return;
  }
  const int middle = (node.first + node.last) / 2;
  add_own({node.first, middle}, rows, columns, leaf, out);
  Matrix right;
  add_own({middle, node.last}, rows, columns, leaf, right);
  out += right;
}

/// The sums of subtrees that were received from all ranks, for some of the entries.
struct BlockSums::Received {
  std::vector<std::pair<Node, const double*>> sums;

  /// out[0 .. count) = the sum over the blocks of `node`.
  void add_up(const Node& node, Index count, double* out) const {
    for (const auto& [known, values] : sums) {
      if (known.first == node.first && known.last == node.last) {
        std::copy(values, values + count, out);
        return;
      }
    }
    SPCA_CHECK(node.last - node.first > 1, "a block that no rank holds");
    const int middle = (node.first + node.last) / 2;
    add_up({node.first, middle}, count, out);
    std::vector<double> right(static_cast<std::size_t>(count));
    add_up({middle, node.last}, count, right.data());
    for (Index i = 0; i < count; ++i) {
      out[i] += right[static_cast<std::size_t>(i)];
    }
  }
};

void BlockSums::combine(std::vector<Matrix>& own, std::uint64_t fingerprint, Matrix& result) const {
  const auto ranks = static_cast<std::size_t>(group_->size());
  const auto me = static_cast<std::size_t>(group_->rank());
  const auto mark = static_cast<double>(fingerprint >> kFingerprintShift);
  for (Index begin = 0; begin < result.size(); begin += kEntriesTogether) {
    const Index entries = std::min(kEntriesTogether, result.size() - begin);
    const auto part_begin = [&](std::size_t rank) {
      return entries * static_cast<Index>(rank) / static_cast<Index>(ranks);
    };
    std::vector<int> parts(ranks), out_counts(ranks), in_counts(ranks);
    for (std::size_t q = 0; q < ranks; ++q) {
      parts[q] = static_cast<int>(part_begin(q + 1) - part_begin(q));
      out_counts[q] = 1 + parts[q] * static_cast<int>(own.size());
    }
    std::vector<double> out;
    for (std::size_t q = 0; q < ranks; ++q) {
      out.push_back(mark);
      for (const Matrix& sum : own) {
        const double* const first = sum.data() + begin + part_begin(q);
        out.insert(out.end(), first, first + parts[q]);
      }
      in_counts[q] = 1 + parts[me] * static_cast<int>(whole_[q].size());
    }
    std::size_t coming = 0;
    for (const int count : in_counts) {
      coming += static_cast<std::size_t>(count);
    }
    std::vector<double> in(coming);
    group_->exchange(out.data(), out_counts, in.data(), in_counts);
    Received received;
    const double* at = in.data();
    for (std::size_t q = 0; q < ranks; ++q) {
      SPCA_CHECK(*at == mark, "all ranks compute the same");
      ++at;
      for (const Node& node : whole_[q]) {
        received.sums.emplace_back(node, at);
        at += parts[me];
      }
    }
    std::vector<double> part(static_cast<std::size_t>(parts[me]));
    received.add_up({0, blocks_}, parts[me], part.data());
    group_->gather_all(part.data(), result.data() + begin, parts);
  }
}

Matrix BlockSums::total(Index rows, Index columns, std::uint64_t fingerprint,
                        const Leaf& leaf) const {
  std::vector<Matrix> own;
  for (const Node& node : whole_[static_cast<std::size_t>(group_->rank())]) {
    add_own(node, rows, columns, leaf, own.emplace_back());
  }
  if (group_->size() == 1) {
    return std::move(own.front());
  }
  Matrix result(rows, columns);
  combine(own, fingerprint, result);
  return result;
}

std::uint64_t BlockSums::fingerprint(const double* numbers, Index count) {
  std::uint64_t sum = static_cast<std::uint64_t>(count);
  for (Index i = 0; i < count; ++i) {
    // The odd factors make every bit count, and the order.
    sum += std::bit_cast<std::uint64_t>(numbers[i]) * (2 * static_cast<std::uint64_t>(i) + 1);
  }
  return sum * 0x9e3779b97f4a7c15U;  // mixes the low bits into the bits that are kept
}

}  // namespace spca

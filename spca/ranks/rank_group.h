#pragma once

/// Processes that solve one problem together. Each takes every step, and each holds some rows of X.

#include <cstddef>
#include <vector>

namespace spca {

/// What the processes tell each other. Numbers are moved and never added here, so that no answer
/// depends on who came first. Every process calls the same functions in the same order.
class RankGroup {
 public:
  virtual ~RankGroup() = default;
  RankGroup() = default;
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;

  /// 0 to size() - 1.
  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Sends out_counts[q] doubles to each rank q, and receives in_counts[q] from it. Those of rank 0
  /// come first in `out` and `in`.
  virtual void exchange(const double* out, const std::vector<int>& out_counts, double* in,
                        const std::vector<int>& in_counts) = 0;
  /// all = the counts[q] doubles of each rank q, in the order of the ranks.
  virtual void gather_all(const double* own, double* all, const std::vector<int>& counts) = 0;
  /// The bytes of `root` to all.
  virtual void broadcast(void* bytes, std::size_t size, int root) = 0;
  /// From one rank to another, which must receive as many.
  virtual void send(int to, const void* bytes, std::size_t size) = 0;
  virtual void receive(int from, void* bytes, std::size_t size) = 0;
};

}  // namespace spca

#pragma once

/// Processes that solve one problem together. Each executes every step and holds some rows of X.

#include <cstddef>
#include <vector>

namespace spca {

/// The communication between the processes. Numbers are moved and never added here, so no
/// answer depends on the order of arrival. Every process calls the same functions in the same
/// order.
class RankGroup {
 public:
  virtual ~RankGroup() = default;
  RankGroup() = default;
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;

  /// 0 to size() - 1.
  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Sends out_counts[q] doubles to each rank q, and receives in_counts[q] doubles from it. `out`
  /// and `in` are in the order of the ranks.
  virtual void exchange(const double* out, const std::vector<int>& out_counts, double* in,
                        const std::vector<int>& in_counts) = 0;
  /// Sets `all` to the counts[q] doubles of each rank q, in the order of the ranks.
  virtual void gather_all(const double* own, double* all, const std::vector<int>& counts) = 0;
  /// Sends the bytes of `root` to all ranks.
  virtual void broadcast(void* bytes, std::size_t size, int root) = 0;
  /// Sends bytes to one rank, which must receive the same number.
  virtual void send(int to, const void* bytes, std::size_t size) = 0;
  virtual void receive(int from, void* bytes, std::size_t size) = 0;
};

}  // namespace spca

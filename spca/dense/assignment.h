#pragma once

/// The best disjoint supports for given weights. This is a maximum-weight assignment of p variables
/// (rows) to r components (columns), with at most k_j rows for column j:
///
///   maximise sum_j sum_{i in I_j} w_ij   s.t.  |I_j| <= k_j, the I_j disjoint
///
/// Which rows
///   Only the K = k_1 + ... + k_r heaviest rows of each column can matter. If a solution uses
///   another row, one of these K is free, and it weighs at least as much.
///
/// Successive shortest paths
///   Places are filled one after the other, each along the best path of exchanges: column a takes
///   a row of column b, which takes one of column c, and the last column takes a free row. The path
///   runs through r columns, not through p rows. The best exchange from b to a,
///   max_{i in I_b} (w_ia - w_ib), is the top of a heap.
///
/// Cost
///   O(p r) to find the candidates and O(K (r^2 + r log K)) to fill the places. Long paths cost a
///   further factor of up to r.
///
/// Source
///   Algorithm 2 of Asteris, Papailiopoulos, Kyrillidis, Dimakis, NIPS 2015, poses the problem. It
///   gives K copies of the columns and all rows to the Hungarian method, O(p K^2). The reduction
///   above is this project's.

#include <vector>

#include "spca/base/types.h"

namespace spca {

/// Solves assignments. An object must be used by one thread only, and keeps its memory from call to
/// call.
class Assignment {
 public:
  /// `capacities` holds k_j >= 0 for each of the r columns.
  explicit Assignment(std::vector<Index> capacities);

  /// Reads the weights, p x r, >= 0 and finite, and keeps the heaviest rows of each column. Returns
  /// the weight that a row outside these must exceed in some column in order to matter. Returns -1
  /// if p < K.
  double select(const Eigen::Ref<const Matrix>& weights);
  /// Returns the supports for `weights`, which must be the weights that select() has read. The
  /// supports are ascending, and full if p >= K. They are optimal up to rounding. Among equal
  /// weights the lower row is chosen.
  const std::vector<Support>& assign(const Eigen::Ref<const Matrix>& weights);

  const std::vector<Support>& solve(const Eigen::Ref<const Matrix>& weights) {
    select(weights);
    return assign(weights);
  }

  /// The sum of the assigned weights.
  double value() const { return value_; }
  /// K.
  Index places() const { return places_; }

 private:
  /// A row and its worth to some column.
  struct Bid {
    double worth = 0;
    int row = 0;
    /// Heaps have the largest on top, and the lowest row among equals.
    bool operator<(const Bid& other) const {
      return worth != other.worth ? worth < other.worth : row > other.row;
    }
  };
  using Heap = std::vector<Bid>;

  void fill_one_place(std::size_t column, const Eigen::Ref<const Matrix>& weights);
  bool find_paths(std::size_t column);
  void move_row(int row, std::size_t to, const Eigen::Ref<const Matrix>& weights);
  void drop_owned(Heap& candidates) const;
  void refresh_exchanges(std::size_t giver);
  std::size_t at(std::size_t taker, std::size_t giver) const { return giver * columns_ + taker; }

  std::vector<Index> capacities_;
  std::size_t columns_ = 0;  // r
  Index places_ = 0;         // K
  double largest_ = 0;
  double value_ = 0;
  std::vector<Heap> candidates_;    // by column: the free ones of its K heaviest rows
  std::vector<Heap> exchanges_;     // by giver and taker: rows that the giver owns or has owned
  std::vector<double> exchange_;    // by giver and taker: the best worth of a row it still owns
  std::vector<int> owner_;          // by row: its column, or -1 if free
  std::vector<int> assigned_;       // rows that are not free
  std::vector<double> gain_;        // by column: the best path that begins there
  std::vector<int> next_;           // by column: the giver on that path, -1 for a free row
  std::vector<std::size_t> route_;  // columns of the path that is being followed
  std::vector<std::size_t> places_on_route_;  // by column: its place on the route, or none
  std::vector<Support> supports_;
};

}  // namespace spca

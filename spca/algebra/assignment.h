#pragma once

/// The best disjoint supports for given weights: a maximum-weight assignment of p variables (rows)
/// to r components (columns), at most k_j rows to column j.
///
///   maximise sum_j sum_{i in I_j} w_ij   s.t.  |I_j| <= k_j, the I_j disjoint
///
/// Which rows     only the K = k_1 + ... + k_r heaviest rows of each column can matter: of these
///                another row would leave one free, which weighs at least as much
/// Successive     one place after the other is filled along the best path of exchanges (column a
/// shortest       takes a row of column b, which takes one of column c, ..., the last takes a free
/// paths          row). The path runs through r columns, not through p rows: what b gives to a
///                best, max_{i in I_b} (w_ia - w_ib), is the top of a heap
/// Cost           O(p r) to find the candidates, O(K (r^2 + r log K)) for the places, a few more r
///                where the paths are long
/// Source         the problem is Algorithm 2 of Asteris, Papailiopoulos, Kyrillidis, Dimakis, NIPS
///                2015, which hands K copies of the columns and all rows to the Hungarian method,
///                O(p K^2); the reduction is this project's

#include <vector>

#include "spca/base/types.h"

namespace spca {

/// One object serves one thread and keeps its memory from call to call.
class Assignment {
 public:
  /// k_j >= 0 of each of the r columns.
  explicit Assignment(std::vector<Index> capacities);

  /// Reads the weights, p x r, >= 0 and finite, and keeps the heaviest rows of each column. Returns
  /// the least weight that a row which is not among these rows would have to exceed in some column
  /// in order to matter: -1 where p < K.
  double select(const Eigen::Ref<const Matrix>& weights);
  /// The supports for what select() has read, which must still be there: ascending, and full where
  /// p >= K. Optimal but for rounding. Equal weights go to the lower row.
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
  /// A row and what it is worth somewhere.
  struct Bid {
    double worth = 0;
    int row = 0;
    /// Heaps have the largest on top, the lowest row among equals.
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
  std::vector<Heap> candidates_;    // by column: its K heaviest rows
  std::vector<Heap> exchanges_;     // by giver and taker: rows of the giver, of now or before
  std::vector<double> exchange_;    // the worth of the best of these that it still owns
  std::vector<int> owner_;          // by row: its column, -1 where free
  std::vector<int> assigned_;       // rows that are not free
  std::vector<double> gain_;        // by column: the best path that begins there
  std::vector<int> next_;           // by column: the giver on that path, -1 for a free row
  std::vector<std::size_t> route_;  // columns of the path that is being followed
  std::vector<std::size_t> places_on_route_;  // by column: its place on the route, or none
  std::vector<Support> supports_;
};

}  // namespace spca

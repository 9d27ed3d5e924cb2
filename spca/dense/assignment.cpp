#include "spca/dense/assignment.h"

#include <algorithm>
#include <limits>

#include "spca/base/error.h"

namespace spca {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();
// A path is extended only for a gain above this share of the largest weight. A smaller gain is
// rounding, which could send a path around a cycle.
constexpr double kRoundingOfGain = 1e-14;
constexpr int kFree = -1;
constexpr std::size_t kNotOnRoute = std::numeric_limits<std::size_t>::max();

}  // namespace

Assignment::Assignment(std::vector<Index> capacities)
    : capacities_(std::move(capacities)),
      columns_(capacities_.size()),
      candidates_(columns_),
      exchanges_(columns_ * columns_),
      exchange_(columns_ * columns_, kNothing),
      gain_(columns_),
      next_(columns_),
      places_on_route_(columns_, kNotOnRoute),
      supports_(columns_) {
  for (const Index k : capacities_) {
    SPCA_CHECK(k >= 0, "a negative capacity");
    places_ += k;
  }
}

double Assignment::select(const Eigen::Ref<const Matrix>& weights) {
  SPCA_CHECK(weights.cols() == static_cast<Index>(columns_), "one column for each capacity");
  const auto kept = static_cast<std::ptrdiff_t>(places_);
  const auto heavier = [](const Bid& a, const Bid& b) { return b < a; };
  double least = std::numeric_limits<double>::infinity();
  largest_ = 0;
  for (std::size_t j = 0; j < columns_; ++j) {
    Heap& rows = candidates_[j];
    rows.clear();
    const double* const column = weights.col(static_cast<Index>(j)).data();
    // Gathers twice as many rows as are wanted before the lighter half goes. From then on, rows
    // that are no heavier than the lightest that was kept need not be gathered. Weights are >= 0,
    // so -1 lets every row in at first.
    double threshold = -1;
    for (Index i = 0; i < weights.rows() && places_ > 0; ++i) {
      // Strictly heavier: among equal weights the lower row, which came first, is kept.
      if (column[i] > threshold) {
        rows.push_back({.worth = column[i], .row = static_cast<int>(i)});
        if (std::ssize(rows) == 2 * kept) {
          std::nth_element(rows.begin(), rows.begin() + kept - 1, rows.end(), heavier);
          rows.resize(static_cast<std::size_t>(kept));
          threshold = rows.back().worth;
        }
      }
    }
    if (std::ssize(rows) > kept) {
      std::nth_element(rows.begin(), rows.begin() + kept - 1, rows.end(), heavier);
      rows.resize(static_cast<std::size_t>(kept));
    }
    if (std::ssize(rows) < kept) {
      least = -1;
    } else if (kept > 0) {
      least = std::min(least, std::min_element(rows.begin(), rows.end())->worth);
    }
    // A heap, because rows are removed in descending order of weight while places are filled.
    std::make_heap(rows.begin(), rows.end());
    if (!rows.empty()) {
      largest_ = std::max(largest_, rows.front().worth);
    }
  }
  return least;
}

const std::vector<Support>& Assignment::assign(const Eigen::Ref<const Matrix>& weights) {
  // Only the rows of the last assignment are reset: O(K), while `owner_` has p entries.
  for (const int row : assigned_) {
    owner_[static_cast<std::size_t>(row)] = kFree;
  }
  assigned_.clear();
  if (std::ssize(owner_) < weights.rows()) {
    owner_.resize(static_cast<std::size_t>(weights.rows()), kFree);
  }
  for (Heap& heap : exchanges_) {
    heap.clear();
  }
  std::fill(exchange_.begin(), exchange_.end(), kNothing);
  for (std::size_t j = 0; j < columns_; ++j) {
    for (Index place = 0; place < capacities_[j]; ++place) {
      fill_one_place(j, weights);
    }
  }
  for (Support& support : supports_) {
    support.clear();
  }
  // Sorts the rows, so that the supports are ascending and the sum does not depend on the paths.
  std::sort(assigned_.begin(), assigned_.end());
  value_ = 0;
  for (const int row : assigned_) {
    const int column = owner_[static_cast<std::size_t>(row)];
    supports_[static_cast<std::size_t>(column)].push_back(row);
    // Summed again from the weights: the gains of the paths would carry their rounding along.
    value_ += weights(row, column);
  }
  return supports_;
}

/// Fills a place of `column` along the best path of exchanges. Invariant: the assignment so far has
/// the largest weight of all assignments to these places. The best path preserves this. In exact
/// arithmetic no cycle of exchanges has a gain. If rounding leaves one, it is carried out first.
void Assignment::fill_one_place(std::size_t column, const Eigen::Ref<const Matrix>& weights) {
  while (find_paths(column)) {
    // The cycle begins where the route first visits its last column.
    const std::size_t start = places_on_route_[route_.back()];
    std::vector<int> rows;
    for (std::size_t i = start; i + 1 < route_.size(); ++i) {
      // Collects all rows before the first one moves, because a move changes the tops of the heaps.
      rows.push_back(exchanges_[at(route_[i], route_[i + 1])].front().row);
    }
    for (std::size_t i = start; i + 1 < route_.size(); ++i) {
      move_row(rows[i - start], route_[i], weights);
    }
    for (std::size_t i = start; i + 1 < route_.size(); ++i) {
      refresh_exchanges(route_[i]);
    }
  }
  const std::size_t last = route_.back();
  // If no row is free, the last column gets no row for the one that it may give up, and one place
  // stays empty. This happens only if p < K.
  const bool has_free_row = !candidates_[last].empty();
  if (has_free_row) {
    assigned_.push_back(candidates_[last].front().row);
  }
  // Goes from the end of the route, so that each row still belongs to its giver when it is taken.
  int incoming = has_free_row ? candidates_[last].front().row : kFree;
  for (std::size_t i = route_.size(); i-- > 0;) {
    // Read before `incoming` moves in, because that row could come to the top of the same heap.
    const int outgoing = i > 0 ? exchanges_[at(route_[i - 1], route_[i])].front().row : kFree;
    if (incoming != kFree) {
      move_row(incoming, route_[i], weights);
    }
    incoming = outgoing;
  }
  for (const std::size_t visited : route_) {
    refresh_exchanges(visited);
  }
}

/// Finds the best path from every column (Bellman, Ford) and the route from `column`. Returns true
/// if the route runs into a cycle; the route then ends with that cycle.
///
///   gain_[a] = max(best free row of a, max_b exchange_[a from b] + gain_[b])
bool Assignment::find_paths(std::size_t column) {
  for (std::size_t j = 0; j < columns_; ++j) {
    // The shortest path is the column taking a free row. A column without one leaves its place
    // empty, which is worth 0.
    drop_owned(candidates_[j]);
    gain_[j] = candidates_[j].empty() ? 0.0 : candidates_[j].front().worth;
    next_[j] = kFree;
  }
  const double slack = kRoundingOfGain * largest_;
  bool changed = true;
  // A best path visits a column at most once, so r rounds reach the fixed point.
  for (std::size_t round = 0; changed && round < columns_; ++round) {
    changed = false;
    for (std::size_t giver = 0; giver < columns_; ++giver) {
      for (std::size_t taker = 0; taker < columns_; ++taker) {
        const double through = exchange_[at(taker, giver)] + gain_[giver];
        if (through > gain_[taker] + slack) {
          gain_[taker] = through;
          next_[taker] = static_cast<int>(giver);
          changed = true;
        }
      }
    }
  }
  for (const std::size_t visited : route_) {
    places_on_route_[visited] = kNotOnRoute;
  }
  route_.clear();
  for (std::size_t current = column;; current = static_cast<std::size_t>(next_[current])) {
    const bool is_circle = places_on_route_[current] != kNotOnRoute;
    if (!is_circle) {
      places_on_route_[current] = route_.size();
    }
    route_.push_back(current);
    if (is_circle || next_[current] == kFree) {
      return is_circle;
    }
  }
}

/// Gives `row` to column `to` and offers it to all other columns. Its old offers stay in the heaps
/// of the former owner until they come to the top. If the row returns there, the same offer is in
/// the heap twice. That does no harm: the worth depends on the weights alone.
void Assignment::move_row(int row, std::size_t to, const Eigen::Ref<const Matrix>& weights) {
  owner_[static_cast<std::size_t>(row)] = static_cast<int>(to);
  const double given_up = weights(row, static_cast<Index>(to));
  for (std::size_t taker = 0; taker < columns_; ++taker) {
    if (taker != to) {
      Heap& heap = exchanges_[at(taker, to)];
      heap.push_back({.worth = weights(row, static_cast<Index>(taker)) - given_up, .row = row});
      std::push_heap(heap.begin(), heap.end());
    }
  }
}

/// Drops owned rows from the top. A row that was assigned once stays assigned (it only changes its
/// column), so it can leave the heap for good.
void Assignment::drop_owned(Heap& candidates) const {
  while (!candidates.empty() && owner_[static_cast<std::size_t>(candidates.front().row)] != kFree) {
    std::pop_heap(candidates.begin(), candidates.end());
    candidates.pop_back();
  }
}

/// Drops rows that `giver` no longer owns from the tops of its heaps, and stores the best worth
/// that remains.
void Assignment::refresh_exchanges(std::size_t giver) {
  for (std::size_t taker = 0; taker < columns_; ++taker) {
    if (taker == giver) {
      continue;
    }
    Heap& heap = exchanges_[at(taker, giver)];
    while (!heap.empty() &&
           owner_[static_cast<std::size_t>(heap.front().row)] != static_cast<int>(giver)) {
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
    }
    exchange_[at(taker, giver)] = heap.empty() ? kNothing : heap.front().worth;
  }
}

}  // namespace spca

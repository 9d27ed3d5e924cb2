#pragma once

/// Stores, for each column of S, its rows in descending order of |S_lj|. A sum of the few largest
/// terms, each bounded by the size of its entry, then reads few entries.

#include <cmath>
#include <numeric>
#include <vector>

#include "spca/base/types.h"

namespace spca {

class StrongestEntries {
 public:
  /// `matrix`: S, p x p, symmetric; it must outlive the object. Takes 4 p^2 bytes.
  explicit StrongestEntries(const Matrix& matrix);

  /// Returns the sum of the `count` largest positive term(l, S_lj); 0 if there is none. No term may
  /// exceed `largest_entry` |S_lj|. Adds the number of multiplications to `work`.
  /// `scratch` is overwritten. Several threads may call this at the same time.
  template <class Term>
  double largest_sum(Index j, Index count, double largest_entry, const Term& term,
                     std::vector<double>& scratch, double& work) const;

 private:
  const Matrix& matrix_;
  std::vector<int> order_;  // a column for each j: the rows in descending order of |S_lj|
};

template <class Term>
double StrongestEntries::largest_sum(Index j, Index count, double largest_entry, const Term& term,
                                     std::vector<double>& scratch, double& work) const {
  constexpr double kEntryWork = 2;
  if (count <= 0) {
    return 0;
  }
  std::vector<double>& largest = scratch;  // descending
  largest.assign(static_cast<std::size_t>(count), 0.0);
  const auto p = static_cast<std::size_t>(matrix_.rows());
  const auto* order = order_.data() + static_cast<std::size_t>(j) * p;
  std::size_t seen = 0;
  for (; seen < p; ++seen) {
    const int l = order[seen];
    const double entry = matrix_(l, j);
    if (!(std::abs(entry) * largest_entry > largest.back())) {
      break;
    }
    const double next = term(l, entry);
    if (next > largest.back()) {
      auto position = largest.end() - 1;
      for (; position != largest.begin() && *(position - 1) < next; --position) {
        *position = *(position - 1);
      }
      *position = next;
    }
  }
  work += kEntryWork * static_cast<double>(seen);
  return std::accumulate(largest.begin(), largest.end(), 0.0);
}

}  // namespace spca

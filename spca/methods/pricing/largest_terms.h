#pragma once

/// Sums of the largest of many terms, for a sequence of similar sums. The indices of the largest
/// terms of one sum bound the largest terms of the next from below, so that few terms are compared.

#include <utility>
#include <vector>

#include "spca/base/types.h"

namespace spca {

class LargestTerms {
 public:
  /// Starts a sequence of sums of `count` of n terms. The first terms are assumed to be large.
  void begin(Index n, Index count);
  /// Returns the sum of the `count` largest positive terms lifts_j - times costs_j; 0 if there is
  /// none. `lifts` and `costs` have n entries.
  double sum(const Vector& lifts, double times, const Vector& costs);
  /// The indices of the terms of the last sum that found `count` positive terms; at first 0, 1, ...
  /// count - 1.
  const std::vector<Index>& positions() const { return before_; }
  /// Number of multiplications so far, roughly.
  double work() const { return work_; }

 private:
  using Term = std::pair<double, Index>;

  Term least_before(const Vector& lifts, double times, const Vector& costs) const;
  void insert(double term, Index position);

  std::vector<Term> largest_;  // descending, `count` of them
  std::vector<Index> before_;  // the indices of the last largest terms
  double work_ = 0;
};

}  // namespace spca

#pragma once

/// Sums of the largest of many terms, one sum after another. The places of those in one sum tell how large the terms
/// of the next are at least, so that few of them are compared with each other.

#include <utility>
#include <vector>

#include "spca/base/types.h"

namespace spca {

class LargestTerms {
 public:
  /// Of sums of `count` of n terms. The first ones are taken to be large.
  void begin(Index n, Index count);
  /// The sum of the `count` largest lifts_j - times costs_j that are positive; 0 if there is none. n each.
  double sum(const Vector& lifts, double times, const Vector& costs);
  /// Those of the last sum, or of the one before if fewer were positive.
  const std::vector<Index>& places() const { return before_; }
  /// Multiplications so far, roughly.
  double work() const { return work_; }

 private:
  using Term = std::pair<double, Index>;

  Term least_before(const Vector& lifts, double times, const Vector& costs) const;
  void insert(double term, Index place);

  std::vector<Term> largest_;  // falling, `count`
  std::vector<Index> before_;  // the places of the last ones
  double work_ = 0;
};

}  // namespace spca

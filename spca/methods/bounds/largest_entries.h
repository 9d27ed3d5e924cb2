#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// Stores the `count` largest of the nonnegative numbers observed for each variable.
class LargestEntries {
 public:
  LargestEntries(Index count, Index variables) : entries_(Matrix::Zero(count, variables)) {}

  void observe(Index variable, double entry) {
    if (entries_.rows() == 0 || !(entry > entries_(0, variable))) {
      return;
    }
    double* begin = entries_.col(variable).data();
    double* end = begin + entries_.rows();
    std::pop_heap(begin, end, std::greater<>());  // the least is on top
    *(end - 1) = entry;
    std::push_heap(begin, end, std::greater<>());
  }
  /// The sums of the 1, 2, ... largest, count x variables.
  Matrix sums() && {
    for (Index i = 0; i < entries_.cols(); ++i) {
      double* begin = entries_.col(i).data();
      double* end = begin + entries_.rows();
      std::sort(begin, end, std::greater<>());
      std::partial_sum(begin, end, begin);
    }
    return std::move(entries_);
  }

 private:
  Matrix entries_;
};

/// The sums of the 1, 2, ..., `count` largest; missing numbers count as zeros.
inline Vector largest_sums(std::vector<double> numbers, Index count) {
  const auto kept = std::min<std::ptrdiff_t>(count, std::ssize(numbers));
  std::partial_sort(numbers.begin(), numbers.begin() + kept, numbers.end(), std::greater<>());
  numbers.resize(static_cast<std::size_t>(kept));
  numbers.resize(static_cast<std::size_t>(count), 0.0);
  Vector sums(count);
  std::partial_sum(numbers.begin(), numbers.end(), sums.begin());
  return sums;
}

}  // namespace spca

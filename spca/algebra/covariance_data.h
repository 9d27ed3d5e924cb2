#pragma once

/// What dense and sparse data share: checks of their shape, the scale, the kept Gram matrix.

#include <mutex>

#include "spca/algebra/covariance.h"

namespace spca {

/// Throws InputError: every variance is zero because the squares of numbers that are not zero are
/// below the smallest number.
[[noreturn]] void refuse_vanished_squares();

/// Returns the factor of X'X. Throws InputError unless n >= 1 and p >= 1, and n >= 2 if the data
/// are centred or the scale is 1/(n-1).
double checked_scale(Index n, Index p, DataForm form);

/// A Gram matrix is kept for n up to this (8 MB). Leading eigenpairs before and after a deflation
/// then need it computed only once.
inline constexpr Index kLargestKeptGram = 1024;

/// Computes a Gram matrix on first use and keeps it if it is small.
class GramCache {
 public:
  template <class Compute>
  Matrix get(Index n, Index p, const Compute& compute) const {
    if (n >= p || n > kLargestKeptGram) {
      return compute();
    }
    std::call_once(once_, [&] { gram_ = compute(); });
    return gram_;
  }

 private:
  mutable std::once_flag once_;
  mutable Matrix gram_;
};

}  // namespace spca

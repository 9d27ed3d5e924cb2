#pragma once

/// Parts that dense and sparse data share: checks of their shape, the scale, the cached Gram
/// matrix.

#include <mutex>

#include "spca/covariance/covariance.h"

namespace spca {

/// Throws the InputError for data all of whose variances are zero because the squares of the
/// nonzero numbers underflow.
[[noreturn]] void refuse_vanished_squares();

/// Returns the factor of X'X. Throws InputError unless n >= 1 and p >= 1, and n >= 2 if the data
/// are centred or the scale is 1/(n-1); and if standardised data are not centred or have a scale
/// other than 1/n.
double checked_scale(Index n, Index p, DataForm form);

/// At most this number of samples for which a Gram matrix is kept (8 MB). Leading eigenpairs before
/// and after a deflation then share one computation of it.
inline constexpr Index kLargestKeptGram = 1024;

/// Computes a Gram matrix. If n < p and n <= kLargestKeptGram, it is computed once and kept;
/// otherwise it is computed by each call.
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

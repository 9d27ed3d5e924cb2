#pragma once

/// The number of threads of a product of dense matrices.

#include "spca/base/parallel.h"
#include "spca/base/types.h"

namespace spca {

/// Returns the number of threads for a product of rows x inner and inner x columns. A thread is
/// worthwhile for at least a million multiplications, which take half a millisecond.
inline int threads_for_product(Index rows, Index inner, Index columns) {
  constexpr double kLeastProducts = 1e6;
  return threads_for(
      static_cast<double>(rows) * static_cast<double>(inner) * static_cast<double>(columns),
      kLeastProducts);
}

}  // namespace spca

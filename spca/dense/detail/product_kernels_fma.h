#pragma once

#include "spca/dense/detail/product_kernels.h"

namespace spca::detail {

/// Returns the kernels with AVX2 and FMA, which this processor need not have; null if the program
/// was compiled for another architecture.
const ProductKernels* kernels_with_fma();

}  // namespace spca::detail

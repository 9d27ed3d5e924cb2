#pragma once

#include "spca/dense/detail/product_kernels.h"

namespace spca::detail {

/// Returns the kernels that every processor of the architecture can run.
const ProductKernels& kernels_of_every_processor();

}  // namespace spca::detail

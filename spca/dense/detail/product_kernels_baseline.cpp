#include "spca/dense/detail/product_kernels_baseline.h"

#include <Eigen/Core>

#include "spca/dense/detail/product_kernels_code.h"

namespace spca::detail {

const ProductKernels& kernels_of_every_processor() { return kKernels; }

}  // namespace spca::detail

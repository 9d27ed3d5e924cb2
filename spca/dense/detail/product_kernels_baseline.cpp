#include "spca/dense/detail/product_kernels_baseline.h"

#include <Eigen/Core>

#define SPCA_KERNELS kKernels
#define SPCA_INSTRUCTIONS_NAME "baseline"
#include "spca/dense/detail/product_kernels_code.h"

namespace spca::detail {

const ProductKernels& kernels_of_every_processor() { return kKernels; }

}  // namespace spca::detail

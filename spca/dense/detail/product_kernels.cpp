#include "spca/dense/detail/product_kernels.h"

#include "spca/dense/detail/instructions.h"
#include "spca/dense/detail/product_kernels_baseline.h"
#include "spca/dense/detail/product_kernels_fma.h"

namespace spca::detail {

const ProductKernels& product_kernels() {
  const ProductKernels* with_fma = kernels_with_fma();
  return with_fma != nullptr && may_use_fma() ? *with_fma : kernels_of_every_processor();
}

}  // namespace spca::detail

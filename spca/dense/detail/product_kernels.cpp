#include "spca/dense/detail/product_kernels.h"

#include "spca/dense/detail/instructions.h"
#include "spca/dense/detail/product_kernels_baseline.h"
#include "spca/dense/detail/product_kernels_fma.h"

namespace spca::detail {

const ProductKernels& product_kernels(std::ptrdiff_t rows, std::ptrdiff_t inner,
                                      std::ptrdiff_t columns) {
  const ProductKernels* with_fma = kernels_with_fma();
  return with_fma != nullptr && uses_fma(rows, inner, columns) ? *with_fma
                                                               : kernels_of_every_processor();
}

}  // namespace spca::detail

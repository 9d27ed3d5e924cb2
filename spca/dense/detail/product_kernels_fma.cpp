/// The kernels with AVX2 and FMA. CMakeLists.txt sets these instructions for this file alone. Eigen
/// has another name here, because the linker keeps one of several functions of the same name: a
/// function for every processor must not be replaced by one of this file. Therefore it has no
/// precompiled header either, and a test looks for names that others may have.

#include "spca/dense/detail/product_kernels_fma.h"

#if defined(__AVX2__) && defined(__FMA__)

#define Eigen EigenWithFma
#include <Eigen/Core>

#include "spca/dense/detail/product_kernels_code.h"

namespace spca::detail {

const ProductKernels* kernels_with_fma() { return &kKernels; }

}  // namespace spca::detail

#else

namespace spca::detail {

const ProductKernels* kernels_with_fma() { return nullptr; }

}  // namespace spca::detail

#endif

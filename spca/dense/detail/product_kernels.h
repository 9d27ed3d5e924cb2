#pragma once

/// Products of dense matrices for the instructions of this processor. The same code is compiled
/// twice, each with its own copy of Eigen: for every processor, and for one with AVX2 and FMA,
/// where it takes two thirds of the time. An entry is summed in the same order if the rows of a
/// product are computed in parts.

#include <cstddef>

namespace spca::detail {

/// The matrices, which are stored by columns; `stride` leads from one column to the next.
struct Factor {
  const double* first;
  std::ptrdiff_t rows;
  std::ptrdiff_t columns;
  std::ptrdiff_t stride;
};
struct Target {
  double* first;
  std::ptrdiff_t rows;
  std::ptrdiff_t columns;
  std::ptrdiff_t stride;
};

/// The change of the target by a product.
enum class Update { kSet, kAdd, kSubtract };

/// No target overlaps a factor.
struct ProductKernels {
  void (*product)(const Target& target, const Factor& a, const Factor& b, Update update);  // AB
  void (*transposed_product)(const Target& target, const Factor& a, const Factor& b);      // A'B
  void (*product_transposed)(const Target& target, const Factor& a, const Factor& b,
                             Update update);  // AB'
  // Sets the lower triangle and the diagonal of the target to those of AA'; it is zero before.
  void (*self_product)(const Target& target, const Factor& a);
  void (*transposed_self_product)(const Target& target, const Factor& a);  // the same of A'A
  void (*times_vector)(double* target, const Factor& a, const double* x);  // Ax
  void (*transposed_times_vector)(double* target, const Factor& a, const double* x);  // A'x
};

/// Returns the kernels with AVX2 and FMA if uses_fma() (instructions.h) for a product of rows x
/// inner and inner x columns, else those of every processor.
const ProductKernels& product_kernels(std::ptrdiff_t rows, std::ptrdiff_t inner,
                                      std::ptrdiff_t columns);

}  // namespace spca::detail

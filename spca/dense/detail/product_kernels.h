#pragma once

/// Products of dense matrices for the instructions of this processor. The same code, with a copy of
/// Eigen of its own, is compiled twice: for every processor, and for one with AVX2 and FMA, where it
/// takes two thirds of the time. A fused multiplication and addition is rounded once, so the last
/// digits of results differ between the two. Entries are summed in the same order whatever the rows
/// of a product that is computed in parts.

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

/// What happens to the target of a product.
enum class Update { kSet, kAdd, kSubtract };

/// No target overlaps a factor.
struct ProductKernels {
  const char* instructions;  // their name
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

/// Returns the kernels with AVX2 and FMA if may_use_fma() (instructions.h), else those of every
/// processor.
const ProductKernels& product_kernels();

}  // namespace spca::detail

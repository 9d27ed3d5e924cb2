#pragma once

/// The pass of a product with four vectors over sparse rows.

#include "spca/covariance/detail/sparse_kernels.h"
#include "spca/covariance/sparse_arrays.h"

namespace spca {

/// Adds X'z of the rows `begin` to `end` to the results, with z = scale * (X v - 1 m'v), and 1'z to
/// `sum`. `means` are the four m'v. Line j has the j-th entries of the four vectors, and then the
/// j-th entries of the four results. Each line is one line of the cache.
///
/// If the processor has AVX2, four doubles are one register. Products and sums are those of
/// block_pass_by_pairs(), each rounded separately, so the bytes are the same.
void block_pass(const SparseArrays& rows, Index begin, Index end, double scale, const Four& means,
                Four& sum, double* lines);
/// The same as block_pass(), without AVX2.
void block_pass_by_pairs(const SparseArrays& rows, Index begin, Index end, double scale,
                         const Four& means, Four& sum, double* lines);

}  // namespace spca

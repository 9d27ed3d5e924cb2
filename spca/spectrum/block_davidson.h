#pragma once

#include "spca/spectrum/eigenpairs.h"

namespace spca {

/// A space of vectors, and S on it. If S differs little from another matrix whose space is known,
/// that space is a good start for the eigenvectors of S.
struct KnownSpace {
  Matrix basis;     // p x m, orthonormal columns; no columns if nothing is known
  Matrix products;  // p x m, S * basis
};

/// The pairs that were found, and further Ritz vectors of their space.
struct RitzSpace {
  Eigenpairs pairs;  // without bounds
  Matrix products;   // p x r, S times the vectors
  /// The Ritz vectors behind the pairs, the largest value first; at most the number asked for.
  KnownSpace further;
};

/// Returns the `count` leading eigenpairs of S, 1 <= count, starting from `space`, or from a
/// generic block if `space` is empty. Copies of repeated eigenvalues may be missing
/// (complement_bound.h). `space` receives the space in which the pairs were found.
///
/// The residuals of the best Ritz pairs extend the space, a block at a time, and a full space
/// shrinks to its best Ritz vectors. From one block this is the block Lanczos method with thick
/// restarts; from any other start it converges as well (Davidson, J. Comput. Phys. 17:87, 1975).
///
/// If few variables have most of the variance of large data (davidson_correction.h) and at most 16
/// pairs are wanted, the residuals are preconditioned. The first block then consists of leading
/// eigenvectors of S on these variables, each with a small random part. If the space lacks one of
/// these eigenvectors later, it replaces a correction. Blocks are always full: the pairs behind the
/// wanted ones fill them. If the pairs of large data are to be nearly exact, `space` keeps only the
/// best Ritz vectors.
///
/// Each step is one product of S with a block of vectors. For large data this costs little more
/// than a product with one vector: the data pass through memory once for all of them. At most
/// `further` Ritz vectors behind the pairs are returned as well. Requires
/// block_davidson_columns(count) <= p. Deterministic. Throws NumericalError if the iteration does
/// not converge.
RitzSpace block_davidson(const Covariance& covariance, Index count, KnownSpace& space,
                         Exact exact = Exact::kPairs, Index further = 0);

/// The largest number of columns of the basis of block_davidson(). The products have as many again.
Index block_davidson_columns(Index count);

}  // namespace spca

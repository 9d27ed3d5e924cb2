#pragma once

#include "spca/algebra/eigenpairs.h"

namespace spca {

/// A space of vectors, and S on it. Where eigenvectors of an S are to be found that differs little
/// from one whose space is known, the space of that one is a good beginning.
struct KnownSpace {
  Matrix basis;     // p x m, orthonormal columns; no columns if nothing is known
  Matrix products;  // p x m, S * basis
};

/// The pairs that were found, and what else their space knows.
struct RitzSpace {
  Eigenpairs pairs;  // without bounds
  Matrix products;   // p x r, S times the vectors
  KnownSpace
      further;  // the Ritz vectors behind them, the largest value first; at most as many as asked
};

/// Returns the `count` leading eigenpairs of S, 1 <= count, from `space` on, or from a generic
/// block if that is empty; copies of eigenvalues that repeat may be missing (complement_bound.h). Leaves in `space` where they were found. The residuals of the best Ritz
/// pairs extend the space, a block at a time, and a full space shrinks to its best Ritz vectors. If
/// it began with one block, that is Lanczos' method by blocks with thick restarts; from any other
/// beginning it converges as well (Davidson, J. Comput. Phys. 17:87, 1975). For large data of which
/// few variables have most of the variance (davidson_correction.h), the residuals are
/// preconditioned, the first block are eigenvectors of S on these variables, and so are later
/// columns where the space lacks one; blocks are always full: pairs behind those that are sought
/// take what is left of them. If the pairs of large data are sought nearly, `space` keeps the best
/// Ritz vectors alone. Each step is one product of S with a block of vectors. For large data this
/// costs little more than a product with one vector: the data pass through memory once for all of
/// them. `further` Ritz vectors behind the pairs are returned as well, if there are as many.
/// block_davidson_columns(count) <= p. Deterministic. Throws NumericalError if it does not converge.
RitzSpace block_davidson(const Covariance& covariance, Index count, KnownSpace& space,
                         Exact exact = Exact::kPairs, Index further = 0);

/// The most columns that the basis of block_davidson has. As many hold the products.
Index block_davidson_columns(Index count);

}  // namespace spca

#pragma once

#include "spca/algebra/eigenpairs.h"

namespace spca {

/// Returns the `count` leading eigenpairs of S by block Lanczos with full reorthogonalisation and
/// thick restarts (K. Wu, H. Simon, SIAM J. Matrix Anal. Appl. 22:602, 2000, with blocks). Each
/// step is one product of S with a block of vectors. For large data this costs little more than a
/// product with one vector: the data pass through memory once for all of them. 1 <= count, and
/// block_lanczos_basis(count) <= p. Deterministic. Throws NumericalError if it does not converge.
Eigenpairs block_lanczos(const Covariance& covariance, Index count);

/// The number of vectors of length p that block_lanczos keeps.
Index block_lanczos_basis(Index count);

}  // namespace spca

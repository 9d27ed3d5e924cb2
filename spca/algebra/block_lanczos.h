#pragma once

#include "spca/algebra/eigenpairs.h"

namespace spca {

/// The `count` leading eigenpairs of S by block Lanczos with full reorthogonalisation and thick
/// restarts (K. Wu, H. Simon, SIAM J. Matrix Anal. Appl. 22:602, 2000, with blocks). Each step is
/// one product of S with a block of vectors, which for large data costs little more than with one
/// vector, because the data pass through memory once for all of them. Deterministic. 1 <= count,
/// and the basis of block_lanczos_basis(count) vectors must not exceed p. Throws NumericalError if
/// it does not converge.
Eigenpairs block_lanczos(const Covariance& covariance, Index count);

/// How many vectors of length p it keeps.
Index block_lanczos_basis(Index count);

}  // namespace spca

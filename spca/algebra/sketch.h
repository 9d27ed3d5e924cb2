#pragma once

/// Low-rank stand-ins for S: S ~ V V' with a thin V.

#include <string>

#include "spca/algebra/low_rank.h"

namespace spca {

/// V p x d. `residual` bounds v'(S - V V')v over unit v where S - V V' is positive semidefinite
/// ("svd"), and is infinite for the others, of which no bound is known.
///
///   svd             the best one, low_rank_approximation()
///   randomised-svd  V V' = the d leading eigenpairs of Q Q'S Q Q', Q an orthonormal basis of S^3
///                   times a p x (d + 10) Gaussian matrix (Halko, Martinsson, Tropp, SIAM Review
///                   2011): 4 (d + 10) products with S
///   gaussian        V = B'R, S = B'B, R of independent N(0, 1/d): the projection of Theorem 3 of
///                   Asteris et al., NIPS 2015. B is X where data were given, else the root of S,
///                   which takes all eigenpairs
///
/// `name` is one of these; `seed` draws the random ones. 1 <= rank. Rows of variables without
/// variance are exactly zero. Throws NumericalError as leading_eigenpairs does.
LowRank sketch(const Covariance& covariance, const std::string& name, Index rank,
               std::uint64_t seed);

/// The spectral norm of S - V V' by power iterations: from below, near it after these few products.
double sketch_error(const Covariance& covariance, const Matrix& factor, std::uint64_t seed);

}  // namespace spca

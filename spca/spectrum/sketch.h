#pragma once

/// Low-rank approximations that replace S: S ~ V V' with a thin V.

#include <string>

#include "spca/spectrum/low_rank.h"

namespace spca {

/// Returns V, p x d, by one of three methods; `name` says which:
///
///   svd             the best one, low_rank_approximation()
///   randomised-svd  V V' = the d leading eigenpairs of Q Q'S Q Q'. Q is an orthonormal basis of
///                   S^3 times a p x (d + 10) Gaussian matrix (Halko, Martinsson, Tropp, SIAM
///                   Review 2011). 4 (d + 10) products with S
///   gaussian        V = B'R with S = B'B and R of independent N(0, 1/d): the projection of
///                   Theorem 3 of Asteris et al., NIPS 2015. B is X if S has a data form, else a
///                   square root of S, which needs all eigenpairs
///
/// `residual` bounds v'(S - V V')v over unit v for "svd", also if S is indefinite (low_rank.h). For
/// the other methods no bound is known, and the residual is infinite.
///
/// `seed` draws the random numbers. 1 <= rank. Rows of variables without variance are exactly zero.
/// Throws NumericalError as leading_eigenpairs does.
LowRank sketch(const Covariance& covariance, const std::string& name, Index rank,
               std::uint64_t seed);

/// Estimates the spectral norm of S - V V' by 20 power iterations. The estimate is a lower bound,
/// usually within a few per cent of the norm.
double sketch_error(const Covariance& covariance, const Matrix& factor, std::uint64_t seed);

/// Returns max |S - V V'|_ij, or NaN if there are too many variables to read.
double sketch_entry_error(const Covariance& covariance, const Matrix& factor);

}  // namespace spca

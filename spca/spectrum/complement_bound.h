#pragma once

/// A bound on the eigenvalues that an iteration may have missed.
///
/// An iteration from b vectors finds at most b copies of a repeated eigenvalue, and no residual
/// reveals the others. So the complement of the eigenvectors found is searched once more, from b
/// vectors that are independent of them.
///
/// Let V have the vectors found, B = (I - VV')S(I - VV'), u be a unit eigenvector of B for its
/// largest eigenvalue, and G be p x b with independent standard normal entries. V, and so u, was
/// known before G was drawn: ||G'u||^2 has the chi-squared distribution with b degrees of freedom,
/// and
///
///   P(||G'u|| < delta) <= (delta^2 / 2)^(b/2) / Gamma(b/2 + 1).                              (1)
///
/// Lanczos' method on the b columns of G at once, with inner products of whole p x b blocks, gives
/// after m products the polynomials p_0, ..., p_m that are orthonormal for a measure: it has the
/// mass ||G'u_i||^2 at the eigenvalue of each eigenvector u_i of B. The mass of one point x is at
/// most
///
///   1 / (p_0(x)^2 + ... + p_m(x)^2)                                                          (2)
///
/// (the Christoffel function: G. Szego, Orthogonal Polynomials, 1939, theorem 3.41.1). This falls
/// as x rises above the largest Ritz value. So the largest eigenvalue of B is at most the x at
/// which (2) is delta^2, except with the probability (1). J. Kuczynski and H. Wozniakowski (SIAM J.
/// Matrix Anal. Appl. 13:1094, 1992, theorem 4.2) bound the same error before the iteration begins,
/// for all matrices; (2) is a bound for the given matrix.

#include <functional>

#include "spca/spectrum/block_davidson.h"

namespace spca {

/// The probability (1) that any bound of a matrix is wrong; draws 0, 1, ... get half, a quarter,
/// ... of it.
inline constexpr double kMissProbability = 1e-12;
/// At most this number of draws are made for one matrix. Chosen by trial, not measured.
inline constexpr int kMostComplementBounds = 32;

/// The largest eigenvalue of S on the complement of the vectors found.
struct ComplementBound {
  /// A bound on v'Sv for unit v orthogonal to V, valid except with kMissProbability. NaN if vectors
  /// were missed.
  double largest = kNotMeasured;
  /// Orthonormal vectors of the complement whose Ritz values are above the last value found, with
  /// their products with S; no columns if there are none.
  KnownSpace missed;
};

/// A symmetric matrix that is available only through its products.
struct SymmetricOperator {
  Index size;                                            // p
  Index block;                                           // number of vectors in a block, 1 or more
  std::function<void(const Matrix&, Matrix&)> multiply;  // out = S v, v with p rows; may throw
};
/// Returns S as an operator, with blocks of four vectors if S is large (heavy_variables.h), else of
/// eight. The covariance must outlive it.
SymmetricOperator operator_of(const Covariance& covariance);

/// Searches the complement of the vectors of `found`, from a random block that depends on these
/// vectors and on `draw`. The further Ritz vectors (RitzSpace::further) that have nearly converged
/// are left out of the search, and the bound accounts for their residuals. The search ends as soon
/// as a missed vector has nearly converged, or the bound is at most `goal`, or within `accepted` of
/// the largest Ritz value in the complement; or, with a larger bound, after kMostLanczosSteps or
/// when the blocks fill kMostLanczosBytes, but not before twelve steps. A Ritz value within
/// `accepted` of the last value found does not count as missed. Deterministic.
///
/// Cost  per step: a product of S with a block
ComplementBound bound_complement(const SymmetricOperator& matrix, const RitzSpace& found, int draw,
                                 double goal, double accepted);

/// At most this number of steps, and of bytes of blocks. Chosen by trial, not measured.
inline constexpr int kMostLanczosSteps = 300;
inline constexpr double kMostLanczosBytes = 3e8;

}  // namespace spca

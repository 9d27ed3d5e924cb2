#pragma once

/// Leading eigenpairs without a missing one. An iteration finds pairs. A bound on S in the
/// complement of their vectors shows that none is missing, or yields the missing ones; the
/// iteration then begins again with them.

#include <optional>

#include "spca/spectrum/block_davidson.h"

namespace spca {

/// Sets the bounds that follow from v'Sv <= `rest` for unit v orthogonal to the vectors V, and from
/// `residual` = ||SV - V diag(theta)||. In the basis of V and its complement S is
/// [diag(theta) R'; R B] with B <= rest I, so lambda_j <= x as soon as
/// (x - theta_j)(x - rest) >= ||R||^2. The bounds include the rounding of the values.
void set_bounds(Eigenpairs& pairs, double rest, double residual);

/// Returns a bound on v'Mv for a dense symmetric M, m x m, and unit v orthogonal to the vectors V
/// of the pairs, if it is clearly below the last value; otherwise nothing. A Cholesky factorisation
/// shows that
///
///   sigma I - M + V diag(theta) V'
///
/// is positive definite. Its rounding is at most (m + 1) eps times the trace (S. M. Rump, BIT
/// Numer. Math. 46:433, 2006). The factorisation takes a sigma that is lower by more than twice as
/// much. O(m^3 / 3).
std::optional<double> rest_by_factorisation(const Matrix& matrix, const Eigenpairs& pairs);

/// Returns the pairs of block_davidson() and, with Copies::kAll, all copies, with `upper` and
/// `rest`. `space` receives the space in which they were found. Throws NumericalError as
/// block_davidson() does, or if copies are still missing after several draws.
Eigenpairs eigenpairs_by_blocks(const Covariance& covariance, Index count, KnownSpace& space,
                                Exact exact, Copies copies);

/// Returns `found`, pairs of S from an iteration of another kind, with all copies if `copies` asks
/// for them. Wrong pairs are computed again: pairs whose vectors are not orthonormal, or whose
/// values have a sum above the trace of a semidefinite S; with Copies::kAll also pairs with large
/// residuals.
Eigenpairs completed(const Covariance& covariance, Eigenpairs found, Copies copies);

}  // namespace spca

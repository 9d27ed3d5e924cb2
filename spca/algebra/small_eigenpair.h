#pragma once

/// The leading eigenpair of a small principal submatrix A_II, where millions of them are asked for:
/// without memory from the heap, and without the eigenpairs that nobody needs.
///
/// Householder's reflections make A_II a tridiagonal T. Laguerre's steps go down to the largest root of
/// its characteristic polynomial; they never pass it, and converge with order three. Polynomial and
/// slopes follow from the pivots of lambda I - T. The eigenvector is that of the twisted
/// factorisation. If its residual is not that of a stable method, or for more than
/// kMostSmallVariables, dense_decompositions.h takes over.
///
/// Source  Laguerre: B. Parlett, Math. Comp. 18:464, 1964; twisted factorisation: I. Dhillon,
///         B. Parlett, SIAM J. Matrix Anal. Appl. 25:858, 2004, section 3

#include <array>

#include "spca/base/types.h"

namespace spca {

inline constexpr std::size_t kMostSmallVariables = 16;

/// lambda_max(A_II) to rounding. `matrix` is A, symmetric; `support`: I, not empty. O(|I|^3).
double small_leading_eigenvalue(const Matrix& matrix, const Support& support);

struct SmallEigenpair {
  double value = 0;
  std::array<double, kMostSmallVariables> vector;  // the first |I| of them, of length 1
};
/// Returns whether `pair` is the leading eigenpair of A_II and no other eigenvalue exceeds `level`. If
/// not, or if it was not found by the short way, all eigenpairs are to be asked for.
bool small_eigenpair_alone(const Matrix& matrix, const Support& support, double level,
                           SmallEigenpair& pair);

}  // namespace spca

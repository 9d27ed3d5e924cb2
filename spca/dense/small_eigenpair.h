#pragma once

/// The leading eigenpair of a small principal submatrix A_II, for callers that need millions of
/// them: no memory from the heap, and no other eigenpairs.
///
/// Householder reflections reduce A_II to a tridiagonal T. Laguerre's steps descend to the largest
/// root of its characteristic polynomial; they never pass the root, and converge with order three.
/// The polynomial and its derivatives follow from the pivots of lambda I - T. The eigenvector is
/// that of the twisted factorisation. If its residual is not that of a stable method, or if there
/// are more than kMostSmallVariables, dense_decompositions.h takes over.
///
/// Source  Laguerre: B. Parlett, Math. Comp. 18:464, 1964; twisted factorisation: I. Dhillon,
///         B. Parlett, SIAM J. Matrix Anal. Appl. 25:858, 2004, section 3

#include <array>

#include "spca/base/types.h"

namespace spca {

inline constexpr std::size_t kMostSmallVariables = 16;

/// Returns lambda_max(A_II) up to rounding. `matrix` is A, symmetric; `support` is I, not empty.
/// O(|I|^3).
double small_leading_eigenvalue(const Matrix& matrix, const Support& support);

struct SmallEigenpair {
  double value = 0;
  std::array<double, kMostSmallVariables> vector;  // the first |I| entries, a unit vector
};
/// Returns true if `pair` is the leading eigenpair of A_II and no other eigenvalue exceeds `level`.
/// Otherwise, or if the short method failed, the caller must compute all eigenpairs.
bool small_eigenpair_alone(const Matrix& matrix, const Support& support, double level,
                           SmallEigenpair& pair);

}  // namespace spca

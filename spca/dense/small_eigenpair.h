#pragma once

/// The leading eigenpair of a small principal submatrix A_II, for callers that need millions of
/// them: takes no memory from the heap, and computes no other eigenpairs.
///
/// Householder reflections reduce A_II to a tridiagonal T. Laguerre's steps descend to the largest
/// root of its characteristic polynomial; they never pass the root, and converge with order three.
/// The polynomial and its derivatives follow from the pivots of lambda I - T. The eigenvector is
/// that of the twisted factorisation. If the steps do not converge, or if there are more than
/// kMostSmallVariables, small_leading_eigenvalue() uses dense_decompositions.h. In these cases, and
/// if the residual is not that of a stable method, small_eigenpair_alone() returns false.
///
/// Source  Laguerre: B. Parlett, Math. Comp. 18:464, 1964; twisted factorisation: I. Dhillon,
///         B. Parlett, SIAM J. Matrix Anal. Appl. 25:858, 2004, section 3

#include <array>

#include "spca/base/types.h"

namespace spca {

inline constexpr std::size_t kMostSmallVariables = 32;

/// Returns lambda_max(A_II) up to rounding. `matrix` is A, symmetric; `support` is I, not empty.
/// O(|I|^3).
double small_leading_eigenvalue(const Matrix& matrix, const Support& support);

struct SmallEigenpair {
  double value = 0;
  std::array<double, kMostSmallVariables> vector;  // the first |I| entries, a unit vector
};
/// Sets `pair` to the leading eigenpair of A_II. Returns false if another eigenvalue exceeds
/// `level`, or if this fast method failed. The caller must then compute all eigenpairs; `pair` is
/// not valid.
bool small_eigenpair_alone(const Matrix& matrix, const Support& support, double level,
                           SmallEigenpair& pair);

}  // namespace spca

#pragma once

/// Decompositions of small dense matrices, behind plain functions. Eigen's templates make every
/// source that instantiates them slow to compile. Therefore only dense_decompositions.cpp includes
/// their headers. Deterministic.

#include <cmath>

#include "spca/base/types.h"

namespace spca {

/// Returns the eigenvalues of a symmetric matrix, m x m, ascending. Only the lower triangle is
/// read. Throws NumericalError (error.h) if the iteration does not converge. O(m^3).
Vector symmetric_eigenvalues(const Matrix& matrix);

/// The larger eigenvalue of [[a, b], [b, c]].
inline double larger_eigenvalue(double a, double b, double c) {
  return (a + c) / 2 + std::hypot((a - c) / 2, b);
}

/// All eigenpairs of a symmetric matrix.
struct SymmetricEigenpairs {
  Vector values;   // m, ascending
  Matrix vectors;  // m x m, orthonormal columns in the order of the values
};
/// Returns the eigenvalues and eigenvectors. Throws as symmetric_eigenvalues() does. O(m^3).
SymmetricEigenpairs symmetric_eigenpairs(const Matrix& matrix);

/// Returns true if Cholesky's factorisation of a symmetric matrix succeeds. Only the lower triangle
/// is read. O(m^3 / 3).
bool is_positive_definite(const Matrix& matrix);

/// Returns the min(p, r) singular values of any p x r matrix, descending.
Vector singular_values(const Matrix& matrix);

/// Returns UV' for the thin singular value decomposition UDV' of a p x r matrix, r <= p: the
/// nearest matrix with orthonormal columns. O(p r^2).
Matrix polar_factor(const Matrix& matrix);

/// Returns orthonormal columns, p x rank, that span the columns of a p x r matrix, by Householder
/// reflections with column pivots. A direction is dropped if its pivot is below `threshold` times
/// the largest.
Matrix orthonormal_basis(const Matrix& matrix, double threshold);

}  // namespace spca

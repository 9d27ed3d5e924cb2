#pragma once

/// Decompositions of small dense matrices. They stand behind plain functions because Eigen's
/// templates cost every source that instantiates them far more than its own text; their headers are
/// included in dense_decompositions.cpp alone. Deterministic.

#include <cmath>

#include "spca/base/types.h"

namespace spca {

/// The eigenvalues of a symmetric matrix, m x m, of which the lower triangle is read: ascending.
/// Throws NumericalError (eigenpairs.h) if the iteration does not converge.
Vector symmetric_eigenvalues(const Matrix& matrix);

/// The larger eigenvalue of [[a, b], [b, c]].
inline double larger_eigenvalue(double a, double b, double c) {
  return (a + c) / 2 + std::hypot((a - c) / 2, b);
}

struct SymmetricEigenpairs {
  Vector values;   // m, ascending
  Matrix vectors;  // m x m, orthonormal columns in the order of the values
};
/// The same with the eigenvectors.
SymmetricEigenpairs symmetric_eigenpairs(const Matrix& matrix);

/// Of any matrix, min(p, r) values, descending.
Vector singular_values(const Matrix& matrix);

/// UV' for the thin singular value decomposition UDV' of a p x r matrix, r <= p: the matrix with
/// orthonormal columns that is nearest to it. O(p r^2).
Matrix polar_factor(const Matrix& matrix);

/// Orthonormal columns, p x rank, that span those of a p x r matrix, by Householder reflections
/// with column pivots. Directions of which less than `threshold` of the largest is left are
/// dropped.
Matrix orthonormal_basis(const Matrix& matrix, double threshold);

}  // namespace spca

#pragma once

/// Dense linear algebra that the tests compare with and the program itself has no use for. Like
/// spca/dense_decompositions.h it keeps Eigen's costly templates in one source.

#include "spca/types.h"

namespace spca {

/// Q and R of the factorisation QR of a p x r matrix, r <= p, by Householder reflections: Q is p x
/// r with orthonormal columns, R r x r and upper triangular with rows of arbitrary sign.
struct ThinQr {
  Matrix orthonormal;
  Matrix triangle;
};
ThinQr thin_qr(const Matrix& matrix);

/// The shortest x that minimises ||Ax - b||.
Vector least_squares(const Matrix& a, const Vector& b);

/// Of a positive definite matrix.
Matrix positive_definite_inverse(const Matrix& matrix);

}  // namespace spca

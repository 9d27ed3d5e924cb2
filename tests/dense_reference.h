#pragma once

/// Dense linear algebra that tests compare with and the program itself does not need. Like
/// spca/dense/dense_decompositions.h, this keeps Eigen's costly templates in one source file.

#include "spca/base/types.h"

namespace spca {

/// Q and R of the factorisation QR of a p x r matrix, r <= p, by Householder reflections: Q is p x
/// r with orthonormal columns, R r x r and upper triangular with rows of arbitrary sign.
struct ThinQr {
  Matrix orthonormal;
  Matrix triangle;
};
ThinQr thin_qr(const Matrix& matrix);

/// Returns the Moore-Penrose inverse. pseudo_inverse(A) b is the shortest x that minimises ||Ax -
/// b||.
Matrix pseudo_inverse(const Matrix& matrix);

}  // namespace spca

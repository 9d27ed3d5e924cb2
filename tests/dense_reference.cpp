#include "tests/dense_reference.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>

namespace spca {

ThinQr thin_qr(const Matrix& matrix) {
  const Eigen::HouseholderQR<Matrix> qr(matrix);
  ThinQr factors{.orthonormal = Matrix::Identity(matrix.rows(), matrix.cols()),
                 .triangle = qr.matrixQR().topRows(matrix.cols()).triangularView<Eigen::Upper>()};
  factors.orthonormal.applyOnTheLeft(qr.householderQ());
  return factors;
}

Vector least_squares(const Matrix& a, const Vector& b) {
  return a.completeOrthogonalDecomposition().solve(b);
}

Matrix positive_definite_inverse(const Matrix& matrix) {
  return matrix.llt().solve(Matrix::Identity(matrix.rows(), matrix.cols()));
}

}  // namespace spca

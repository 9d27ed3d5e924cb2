#include "tests/dense_reference.h"

#include <Eigen/QR>

namespace spca {

ThinQr thin_qr(const Matrix& matrix) {
  const Eigen::HouseholderQR<Matrix> qr(matrix);
  ThinQr factors{.orthonormal = Matrix::Identity(matrix.rows(), matrix.cols()),
                 .triangle = qr.matrixQR().topRows(matrix.cols()).triangularView<Eigen::Upper>()};
  factors.orthonormal.applyOnTheLeft(qr.householderQ());
  return factors;
}

Matrix pseudo_inverse(const Matrix& matrix) {
  return matrix.completeOrthogonalDecomposition().pseudoInverse();
}

}  // namespace spca

#include "spca/dense_decompositions.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "spca/eigenpairs.h"

namespace spca {
namespace {

Eigen::SelfAdjointEigenSolver<Matrix> solve_symmetric(const Matrix& matrix, int what) {
  Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix, what);
  if (solver.info() != Eigen::Success) {
    throw NumericalError("the dense eigenvalue solver did not converge");
  }
  return solver;
}

}  // namespace

Vector symmetric_eigenvalues(const Matrix& matrix) {
  return solve_symmetric(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigenpairs symmetric_eigenpairs(const Matrix& matrix) {
  const auto solver = solve_symmetric(matrix, Eigen::ComputeEigenvectors);
  return {.values = solver.eigenvalues(), .vectors = solver.eigenvectors()};
}

Vector singular_values(const Matrix& matrix) {
  return Eigen::JacobiSVD<Matrix>(matrix).singularValues();
}

Matrix polar_factor(const Matrix& matrix) {
  const Eigen::HouseholderQR<Matrix> qr(matrix);
  const Matrix triangle = qr.matrixQR().topRows(matrix.cols()).triangularView<Eigen::Upper>();
  const Eigen::JacobiSVD<Matrix> svd(triangle, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix factor = Matrix::Zero(matrix.rows(), matrix.cols());
  factor.topRows(matrix.cols()) = svd.matrixU() * svd.matrixV().transpose();
  factor.applyOnTheLeft(qr.householderQ());
  return factor;
}

Matrix orthonormal_basis(const Matrix& matrix, double threshold) {
  Eigen::ColPivHouseholderQR<Matrix> qr(matrix);
  qr.setThreshold(threshold);
  Matrix basis = Matrix::Identity(matrix.rows(), qr.rank());
  basis.applyOnTheLeft(qr.householderQ());
  return basis;
}

}  // namespace spca

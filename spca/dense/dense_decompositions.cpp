#include "spca/dense/dense_decompositions.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "spca/base/error.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/tridiagonal_form.h"

namespace spca {
namespace {

/// Jacobi's method for a square matrix, without Eigen's reduction of other shapes to a square one.
using SquareSvd = Eigen::JacobiSVD<Matrix, Eigen::NoQRPreconditioner>;

/// At most this number of sweeps: Jacobi's method converges quadratically, usually in about ten.
constexpr int kJacobiSweeps = 60;

NumericalError no_convergence() {
  return NumericalError("the dense eigenvalue solver did not converge");
}

/// Returns the eigenpairs by cyclic Jacobi rotations, which are slower than Eigen's iteration but
/// always converge. Eigen allows 30 steps for each eigenvalue, and needs more for some block
/// matrices whose eigenvalues repeat. Throws NumericalError if an entry is not finite.
SymmetricEigenpairs eigenpairs_by_rotations(const Matrix& lower) {
  if (!lower.allFinite()) {
    throw no_convergence();
  }
  Matrix rest = lower.selfadjointView<Eigen::Lower>();
  const Index m = rest.rows();
  // An entry this small changes no eigenvalue by more than rounding (Weyl). With a relative test
  // instead, entries between equal eigenvalues could be rotated endlessly.
  const double negligible = std::numeric_limits<double>::epsilon() * rest.norm();
  Matrix vectors = Matrix::Identity(m, m);
  bool rotated = true;
  for (int sweep = 0; rotated; ++sweep) {
    if (sweep == kJacobiSweeps) {
      throw no_convergence();
    }
    rotated = false;
    for (Index i = 1; i < m; ++i) {
      for (Index j = 0; j < i; ++j) {
        Eigen::JacobiRotation<double> rotation;
        if (std::abs(rest(i, j)) > negligible && rotation.makeJacobi(rest, j, i)) {
          rest.applyOnTheLeft(j, i, rotation.adjoint());
          rest.applyOnTheRight(j, i, rotation);
          // Exactly zero, as the rotation intends; rounding would leave entries to rotate again.
          rest(i, j) = rest(j, i) = 0;
          vectors.applyOnTheRight(j, i, rotation);
          rotated = true;
        }
      }
    }
  }
  const Vector values = rest.diagonal();
  std::vector<Index> order(static_cast<std::size_t>(m));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return values[a] < values[b]; });
  return {.values = selected_entries(values, order), .vectors = selected_columns(vectors, order)};
}

}  // namespace

Vector symmetric_eigenvalues(const Matrix& matrix) {
  return matrix.rows() > 0 ? TridiagonalForm(matrix).values() : Vector();
}

SymmetricEigenpairs symmetric_eigenpairs(const Matrix& matrix) {
  // Eigen's QR iteration is faster, and so comes first. Rotations take over if it gives up.
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix);
  if (solver.info() != Eigen::Success) {
    return eigenpairs_by_rotations(matrix);
  }
  return {.values = solver.eigenvalues(), .vectors = solver.eigenvectors()};
}

bool is_positive_definite(const Matrix& matrix) {
  return Eigen::LLT<Matrix>(matrix).info() == Eigen::Success;
}

Vector singular_values(const Matrix& matrix) {
  // Jacobi's method is the most accurate of Eigen's decompositions for small singular values, which
  // the angles of metric_formulas.cpp need. It works on the triangle of a QR with column pivots,
  // which preserves the small singular values.
  const bool tall = matrix.rows() > matrix.cols();
  const Eigen::ColPivHouseholderQR<Matrix> qr(tall ? matrix : matrix.transpose());
  const Index r = std::min(matrix.rows(), matrix.cols());
  const Matrix triangle = qr.matrixQR().topRows(r).triangularView<Eigen::Upper>();
  return SquareSvd(triangle).singularValues();
}

Matrix polar_factor(const Matrix& matrix) {
  // A QR first: with matrix = QR and R = U_R D V', the factor is Q U_R V'. The Jacobi iteration
  // then works on r x r, and Q is applied without being formed.
  const Eigen::HouseholderQR<Matrix> qr(matrix);
  const Matrix triangle = qr.matrixQR().topRows(matrix.cols()).triangularView<Eigen::Upper>();
  const SquareSvd svd(triangle, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix factor = Matrix::Zero(matrix.rows(), matrix.cols());
  factor.topRows(matrix.cols()) = svd.matrixU() * svd.matrixV().transpose();
  factor.applyOnTheLeft(qr.householderQ());
  return factor;
}

Matrix orthonormal_basis(const Matrix& matrix, double threshold) {
  Eigen::ColPivHouseholderQR<Matrix> qr(matrix);
  // The pivots are descending, and rank() counts those above threshold times the first.
  qr.setThreshold(threshold);
  Matrix basis = Matrix::Identity(matrix.rows(), qr.rank());
  basis.applyOnTheLeft(qr.householderQ());
  return basis;
}

}  // namespace spca

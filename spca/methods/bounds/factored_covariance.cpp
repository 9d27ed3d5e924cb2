#include "spca/methods/bounds/factored_covariance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/algebra/dense_decompositions.h"

namespace spca {

Matrix pivoted_cholesky(const Matrix& matrix) {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  const Index size = matrix.rows();
  Matrix rows(size, size);
  // The diagonal of what is left of the matrix. Taking the largest entry next makes the error of
  // stopping at any rank at most p times that entry.
  Vector residual = matrix.diagonal();
  const double negligible =
      static_cast<double>(size) * kEpsilon * std::max(residual.maxCoeff(), 0.0);
  Index rank = 0;
  for (; rank < size; ++rank) {
    Index pivot = 0;
    const double heaviest = residual.maxCoeff(&pivot);
    if (!(heaviest > negligible)) {
      break;
    }
    rows.col(rank) =
        (matrix.col(pivot) - rows.leftCols(rank) * rows.row(pivot).head(rank).transpose()) /
        std::sqrt(heaviest);
    residual -= rows.col(rank).cwiseAbs2();
    residual[pivot] = 0;
  }
  return rows.leftCols(rank).transpose();
}

double FactoredCovariance::limit(double value) const {
  return value * (1 + kBoundRounding) / unit - excess;
}

FactoredCovariance factor_covariance(const Matrix& matrix) {
  FactoredCovariance factored;
  factored.unit = matrix.diagonal().maxCoeff();
  factored.factor = pivoted_cholesky(matrix / factored.unit);
  const Matrix rest = matrix / factored.unit - factored.factor.transpose() * factored.factor;
  // The Frobenius norm is no less than any eigenvalue of a principal submatrix of the rest. By
  // Weyl, lambda_max(S_II) <= unit (lambda_max of the factor's part + excess) for every I.
  factored.excess = rest.norm();
  return factored;
}

double largest_variance_on(const Matrix& factor, const Support& support) {
  const Matrix columns = factor(Eigen::all, support);
  // AA' and A'A have the same positive eigenvalues: the smaller of the two is decomposed.
  return columns.rows() < columns.cols()
             ? symmetric_eigenvalues(columns * columns.transpose())[columns.rows() - 1]
             : symmetric_eigenvalues(columns.transpose() * columns)[columns.cols() - 1];
}

}  // namespace spca

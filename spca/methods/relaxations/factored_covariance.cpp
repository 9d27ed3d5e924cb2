#include "spca/methods/relaxations/factored_covariance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/base/tolerances.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"

namespace spca {

Matrix pivoted_cholesky(const Matrix& matrix) {
  return pivoted_cholesky(matrix, [] { return true; });
}

Matrix pivoted_cholesky(const Matrix& matrix, const std::function<bool()>& keep_going) {
  const Index size = matrix.rows();
  Matrix rows(size, size);
  // The diagonal of the residual. The next pivot is its largest entry, so stopping at any rank has
  // an error of at most p times that entry.
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
    if (!keep_going()) {
      return Matrix();
    }
    rows.col(rank) = (matrix.col(pivot) - times_own_row(rows, pivot, rank)) / std::sqrt(heaviest);
    residual -= rows.col(rank).cwiseAbs2();
    residual[pivot] = 0;
  }
  return rows.leftCols(rank).transpose();
}

double FactoredCovariance::limit(double value) const {
  return value * (1 + kBoundRounding) / unit_ - excess_;
}

double FactoredCovariance::priced_limit(double value) const {
  return value / unit_ + kBoundRounding - excess_;
}

namespace {

// Number of columns of the residual per matrix product; the clock is checked between products.
constexpr Index kResidualColumns = 256;

class DenseFactor final : public FactoredCovariance {
 public:
  DenseFactor(Matrix factor, double unit, double excess)
      : factor_(std::move(factor)), lengths_(factor_.colwise().squaredNorm()) {
    unit_ = unit;
    excess_ = excess;
  }
  Index dimension() const override { return factor_.rows(); }
  bool is_formed() const override { return true; }
  Index variables() const override { return factor_.cols(); }
  std::shared_ptr<const RelaxationColumns> columns(
      const std::vector<int>& variables) const override {
    Matrix columns(factor_.rows(), std::ssize(variables));
    for (std::size_t i = 0; i < variables.size(); ++i) {
      columns.col(static_cast<Index>(i)) = factor_.col(variables[i]);
    }
    return std::make_shared<const DenseColumns>(std::move(columns));
  }
  Matrix formed(const Support& variables) const override { return factor_(Eigen::all, variables); }
  Vector squared_lengths() const override { return lengths_; }
  Vector products(const Vector& x) const override { return transposed_times_vector(factor_, x); }

 private:
  Matrix factor_;
  Vector lengths_;
};

}  // namespace

std::unique_ptr<FactoredCovariance> factor_covariance(const Matrix& matrix) {
  return factor_covariance(matrix, [] { return true; });
}

std::unique_ptr<FactoredCovariance> factor_covariance(const Matrix& matrix,
                                                      const std::function<bool()>& keep_going) {
  const double unit = matrix.diagonal().maxCoeff();
  const Matrix scaled = matrix / unit;
  Matrix factor = pivoted_cholesky(scaled, keep_going);
  if (factor.size() == 0) {
    return nullptr;
  }
  // The excess is the Frobenius norm of S / unit - A'A, which is at least any eigenvalue of one of
  // its principal submatrices. By Weyl, for every I,
  // lambda_max(S_II) <= unit (lambda_max(A_I'A_I) + excess).
  double squares = 0;
  for (Index begin = 0; begin < matrix.cols(); begin += kResidualColumns) {
    if (!keep_going()) {
      return nullptr;
    }
    const Index count = std::min(kResidualColumns, matrix.cols() - begin);
    squares += (scaled.middleCols(begin, count) -
                transposed_product(factor, factor.middleCols(begin, count)))
                   .squaredNorm();
  }
  return std::make_unique<DenseFactor>(std::move(factor), unit, std::sqrt(squares));
}

double largest_variance_on(const FactoredCovariance& factor, const Support& support) {
  const Matrix columns = factor.formed(support);
  // AA' and A'A have the same positive eigenvalues: the smaller of the two is decomposed.
  return columns.rows() < columns.cols()
             ? symmetric_eigenvalues(product_transposed(columns, columns))[columns.rows() - 1]
             : symmetric_eigenvalues(transposed_product(columns, columns))[columns.cols() - 1];
}

}  // namespace spca

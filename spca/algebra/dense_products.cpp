#include "spca/algebra/dense_products.h"

namespace spca {

Matrix matrix_product(const MatrixRef& a, const MatrixRef& b) { return a * b; }

Matrix transposed_product(const MatrixRef& a, const MatrixRef& b) { return a.transpose() * b; }

Matrix product_transposed(const MatrixRef& a, const MatrixRef& b) { return a * b.transpose(); }

Vector times_vector(const MatrixRef& a, const VectorRef& x) { return a * x; }

Vector transposed_times_vector(const MatrixRef& a, const VectorRef& x) { return a.transpose() * x; }

Vector times_own_row(const MatrixRef& a, Index row, Index count) {
  return a.leftCols(count) * a.row(row).head(count).transpose();
}

void set_product(Matrix& target, const MatrixRef& a, const MatrixRef& b) {
  target.noalias() = a * b;
}

void set_transposed_product(Matrix& target, const MatrixRef& a, const MatrixRef& b) {
  target.noalias() = a.transpose() * b;
}

void add_product(Eigen::Ref<Matrix> target, const MatrixRef& a, const MatrixRef& b) {
  target.noalias() += a * b;
}

void add_product_transposed(Eigen::Ref<Matrix> target, const MatrixRef& a, const MatrixRef& b) {
  target.noalias() += a * b.transpose();
}

void subtract_product(Eigen::Ref<Matrix> target, const MatrixRef& a, const MatrixRef& b) {
  target.noalias() -= a * b;
}

void subtract_product_transposed(Eigen::Ref<Matrix> target, const MatrixRef& a,
                                 const MatrixRef& b) {
  target.noalias() -= a * b.transpose();
}

void subtract_projection(Eigen::Ref<Vector> x, const MatrixRef& q) {
  x -= times_vector(q, transposed_times_vector(q, x));
}

Vector outside_of_span(const MatrixRef& q, const VectorRef& x) {
  const Vector inside = transposed_times_vector(q, x);
  Vector outside = x;
  outside.noalias() -= q * inside;
  return outside;
}

Matrix scaled_columns(const MatrixRef& a, const VectorRef& d) { return a * d.asDiagonal(); }

Matrix scaled_both_sides(const MatrixRef& a, const VectorRef& d) {
  return d.asDiagonal() * a * d.asDiagonal();
}

Matrix symmetric_part(const MatrixRef& a) { return 0.5 * (a + a.transpose()); }

Matrix reversed_columns(const MatrixRef& a) { return a.rowwise().reverse(); }

double inner_product(const Matrix& a, const Matrix& b) { return a.cwiseProduct(b).sum(); }

Vector squared_row_norms(const MatrixRef& a) { return a.rowwise().squaredNorm(); }

double largest_magnitude(const Matrix& a) { return a.cwiseAbs().maxCoeff(); }

}  // namespace spca

#include "spca/dense/dense_products.h"

#include "spca/base/parallel.h"
#include "spca/dense/detail/product_threads.h"

namespace spca {
namespace {

/// A product may be cut at multiples of this number of rows; each entry is still summed in the same
/// order as in one piece. Eigen computes at most three registers of rows together, and eight rows
/// of a product with a vector.
constexpr Index kRowsTogether = 2 * Eigen::internal::gebp_traits<double, double>::mr;
static_assert(kRowsTogether % 8 == 0);

}  // namespace

Matrix matrix_product(const MatrixRef& a, const MatrixRef& b) {
  Matrix result;
  set_product(result, a, b);
  return result;
}

Matrix transposed_product(const MatrixRef& a, const MatrixRef& b) {
  Matrix result;
  set_transposed_product(result, a, b);
  return result;
}

Matrix product_transposed(const MatrixRef& a, const MatrixRef& b) { return a * b.transpose(); }

Vector times_vector(const MatrixRef& a, const VectorRef& x) {
  const int threads = threads_for_product(a.rows(), a.cols(), 1);
  if (threads == 1) {
    return a * x;
  }
  Vector result(a.rows());
  parallel_ranges(a.rows(), kRowsTogether, threads, [&](Index begin, Index end) {
    result.segment(begin, end - begin).noalias() = a.middleRows(begin, end - begin) * x;
  });
  return result;
}

Vector transposed_times_vector(const MatrixRef& a, const VectorRef& x) {
  const int threads = threads_for_product(a.cols(), a.rows(), 1);
  if (threads == 1) {
    return a.transpose() * x;
  }
  Vector result(a.cols());
  parallel_ranges(a.cols(), kRowsTogether, threads, [&](Index begin, Index end) {
    result.segment(begin, end - begin).noalias() = a.middleCols(begin, end - begin).transpose() * x;
  });
  return result;
}

Vector times_own_row(const MatrixRef& a, Index row, Index count) {
  return a.leftCols(count) * a.row(row).head(count).transpose();
}

void set_product(Matrix& target, const MatrixRef& a, const MatrixRef& b) {
  const int threads = threads_for_product(a.rows(), a.cols(), b.cols());
  if (threads == 1) {
    target.noalias() = a * b;
    return;
  }
  target.resize(a.rows(), b.cols());
  parallel_ranges(a.rows(), kRowsTogether, threads, [&](Index begin, Index end) {
    target.middleRows(begin, end - begin).noalias() = a.middleRows(begin, end - begin) * b;
  });
}

void set_transposed_product(Matrix& target, const MatrixRef& a, const MatrixRef& b) {
  const int threads = threads_for_product(a.cols(), a.rows(), b.cols());
  if (threads == 1) {
    target.noalias() = a.transpose() * b;
    return;
  }
  target.resize(a.cols(), b.cols());
  parallel_ranges(a.cols(), kRowsTogether, threads, [&](Index begin, Index end) {
    target.middleRows(begin, end - begin).noalias() =
        a.middleCols(begin, end - begin).transpose() * b;
  });
}

void add_product(Eigen::Ref<Matrix> target, const MatrixRef& a, const MatrixRef& b) {
  target.noalias() += a * b;
}

void add_product_transposed(Eigen::Ref<Matrix> target, const MatrixRef& a, const MatrixRef& b) {
  target.noalias() += a * b.transpose();
}

void subtract_product(Eigen::Ref<Matrix> target, const MatrixRef& a, const MatrixRef& b) {
  const int threads = threads_for_product(a.rows(), a.cols(), b.cols());
  if (threads == 1) {
    target.noalias() -= a * b;
    return;
  }
  parallel_ranges(a.rows(), kRowsTogether, threads, [&](Index begin, Index end) {
    target.middleRows(begin, end - begin).noalias() -= a.middleRows(begin, end - begin) * b;
  });
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

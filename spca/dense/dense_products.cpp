#include "spca/dense/dense_products.h"

#include "spca/base/parallel.h"
#include "spca/dense/detail/instructions.h"
#include "spca/dense/detail/product_kernels.h"
#include "spca/dense/detail/product_threads.h"

namespace spca {
namespace {

using detail::Factor;
using detail::product_kernels;
using detail::ProductKernels;
using detail::Target;
using detail::Update;

/// A product may be cut at multiples of this number of rows; each entry is still summed in the same
/// order as in one piece. Eigen computes at most three registers of rows together, and eight
/// registers of a product with a vector. A register has two or four numbers.
constexpr Index kRowsTogether = 96;

Factor factor(const MatrixRef& a) { return {a.data(), a.rows(), a.cols(), a.outerStride()}; }
Factor rows_of(const MatrixRef& a, Index begin, Index end) {
  return {a.data() + begin, end - begin, a.cols(), a.outerStride()};
}
Factor columns_of(const MatrixRef& a, Index begin, Index end) {
  return {a.data() + begin * a.outerStride(), a.rows(), end - begin, a.outerStride()};
}
Target target(Eigen::Ref<Matrix> a) { return {a.data(), a.rows(), a.cols(), a.outerStride()}; }
Target target_rows(Eigen::Ref<Matrix> a, Index begin, Index end) {
  return {a.data() + begin, end - begin, a.cols(), a.outerStride()};
}

/// Calls work(begin, end) for ranges of `count` rows, on these threads.
template <class Work>
void for_rows(Index count, int threads, const Work& work) {
  if (threads == 1) {
    work(Index{0}, count);
  } else {
    parallel_ranges(count, kRowsTogether, threads, work);
  }
}

void update_by_product(Eigen::Ref<Matrix> result, const MatrixRef& a, const MatrixRef& b,
                       Update update) {
  const ProductKernels& kernels = product_kernels(a.rows(), a.cols(), b.cols());
  for_rows(
      a.rows(), threads_for_product(a.rows(), a.cols(), b.cols()), [&](Index begin, Index end) {
        kernels.product(target_rows(result, begin, end), rows_of(a, begin, end), factor(b), update);
      });
}

/// Returns the symmetric matrix of which the kernel sets the lower triangle.
Matrix symmetric_product(Index size, const MatrixRef& a,
                         void (*kernel)(const Target& target, const Factor& a)) {
  Matrix result = Matrix::Zero(size, size);
  if (a.size() > 0) {
    kernel(target(result), factor(a));
    result.triangularView<Eigen::StrictlyUpper>() = result.transpose();
  }
  return result;
}

}  // namespace

const char* instructions_of_products() { return detail::may_use_fma() ? "avx2-fma" : "baseline"; }

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

Matrix product_transposed(const MatrixRef& a, const MatrixRef& b) {
  Matrix result(a.rows(), b.rows());
  product_kernels(a.rows(), a.cols(), b.rows())
      .product_transposed(target(result), factor(a), factor(b), Update::kSet);
  return result;
}

Matrix self_product(const MatrixRef& a) {
  return symmetric_product(a.rows(), a, product_kernels(a.rows(), a.cols(), a.rows()).self_product);
}

Matrix transposed_self_product(const MatrixRef& a) {
  return symmetric_product(a.cols(), a,
                           product_kernels(a.cols(), a.rows(), a.cols()).transposed_self_product);
}

Vector times_vector(const MatrixRef& a, const VectorRef& x) {
  Vector result(a.rows());
  const ProductKernels& kernels = product_kernels(a.rows(), a.cols(), 1);
  for_rows(a.rows(), threads_for_product(a.rows(), a.cols(), 1), [&](Index begin, Index end) {
    kernels.times_vector(result.data() + begin, rows_of(a, begin, end), x.data());
  });
  return result;
}

Vector transposed_times_vector(const MatrixRef& a, const VectorRef& x) {
  Vector result(a.cols());
  const ProductKernels& kernels = product_kernels(a.cols(), a.rows(), 1);
  for_rows(a.cols(), threads_for_product(a.cols(), a.rows(), 1), [&](Index begin, Index end) {
    kernels.transposed_times_vector(result.data() + begin, columns_of(a, begin, end), x.data());
  });
  return result;
}

Vector times_own_row(const MatrixRef& a, Index row, Index count) {
  return a.leftCols(count) * a.row(row).head(count).transpose();
}

void set_product(Matrix& result, const MatrixRef& a, const MatrixRef& b) {
  result.resize(a.rows(), b.cols());
  update_by_product(result, a, b, Update::kSet);
}

void set_transposed_product(Matrix& result, const MatrixRef& a, const MatrixRef& b) {
  result.resize(a.cols(), b.cols());
  const ProductKernels& kernels = product_kernels(a.cols(), a.rows(), b.cols());
  for_rows(a.cols(), threads_for_product(a.cols(), a.rows(), b.cols()),
           [&](Index begin, Index end) {
             kernels.transposed_product(target_rows(result, begin, end), columns_of(a, begin, end),
                                        factor(b));
           });
}

void add_product(Eigen::Ref<Matrix> result, const MatrixRef& a, const MatrixRef& b) {
  product_kernels(a.rows(), a.cols(), b.cols())
      .product(target(result), factor(a), factor(b), Update::kAdd);
}

void add_product_transposed(Eigen::Ref<Matrix> result, const MatrixRef& a, const MatrixRef& b) {
  product_kernels(a.rows(), a.cols(), b.rows())
      .product_transposed(target(result), factor(a), factor(b), Update::kAdd);
}

void subtract_product(Eigen::Ref<Matrix> result, const MatrixRef& a, const MatrixRef& b) {
  update_by_product(result, a, b, Update::kSubtract);
}

void subtract_product_transposed(Eigen::Ref<Matrix> result, const MatrixRef& a,
                                 const MatrixRef& b) {
  product_kernels(a.rows(), a.cols(), b.rows())
      .product_transposed(target(result), factor(a), factor(b), Update::kSubtract);
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

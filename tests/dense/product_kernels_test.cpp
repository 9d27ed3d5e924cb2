/// The products of dense matrices: those of Eigen, on this processor and on every one.

#include "spca/dense/detail/product_kernels.h"

#include <gtest/gtest.h>

#include <tuple>

#include "spca/base/parallel.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/detail/product_kernels_baseline.h"
#include "tests/solver_testing.h"

namespace spca::product_kernels_test {
namespace {

constexpr double kSumRounding = 1e-14;

void expect_near(const Matrix& found, const Matrix& expected) {
  EXPECT_LE((found - expected).norm(), kSumRounding * (1 + expected.norm()));
}

class Products : public ::testing::TestWithParam<std::tuple<Index, Index, Index>> {
 protected:
  Products()
      : whole_(trial::random_matrix(rows() + 2, inner() + 2, 1)),
        b_(trial::random_matrix(inner(), columns(), 2)),
        c_(trial::random_matrix(rows(), columns(), 3)) {}

  static Index rows() { return std::get<0>(GetParam()); }
  static Index inner() { return std::get<1>(GetParam()); }
  static Index columns() { return std::get<2>(GetParam()); }
  // A block of a matrix, so that its columns are not one after the other.
  MatrixRef a() const { return whole_.block(1, 1, rows(), inner()); }

  Matrix whole_, b_, c_;
};

TEST_P(Products, AreThoseOfEigen) {
  expect_near(matrix_product(a(), b_), a() * b_);
  expect_near(transposed_product(a(), c_), a().transpose() * c_);
  expect_near(product_transposed(c_, b_), c_ * b_.transpose());
  expect_near(self_product(a()), a() * a().transpose());
  expect_near(transposed_self_product(a()), a().transpose() * a());
  expect_near(times_vector(a(), b_.col(0)), a() * b_.col(0));
  expect_near(transposed_times_vector(a(), c_.col(0)), a().transpose() * c_.col(0));
  Matrix target = c_;
  add_product(target, a(), b_);
  expect_near(target, c_ + a() * b_);
  target = c_;
  subtract_product(target, a(), b_);
  expect_near(target, c_ - a() * b_);
  Matrix other = a();
  add_product_transposed(other, c_, b_);
  expect_near(other, a() + c_ * b_.transpose());
  other = a();
  subtract_product_transposed(other, c_, b_);
  expect_near(other, a() - c_ * b_.transpose());
}

TEST_P(Products, HaveTheSameBytesForAnyNumberOfThreads) {
  const Matrix product = matrix_product(a(), b_);
  const Matrix transposed = transposed_product(a(), c_);
  const Vector vector = times_vector(a(), b_.col(0));
  const Vector other = transposed_times_vector(a(), c_.col(0));
  Matrix difference = c_;
  subtract_product(difference, a(), b_);
  for (const int threads : {2, 3, 7}) {
    const ThreadAllowance allowance(threads);
    EXPECT_EQ(matrix_product(a(), b_), product) << threads;
    EXPECT_EQ(transposed_product(a(), c_), transposed) << threads;
    EXPECT_EQ(times_vector(a(), b_.col(0)), vector) << threads;
    EXPECT_EQ(transposed_times_vector(a(), c_.col(0)), other) << threads;
    Matrix shared = c_;
    subtract_product(shared, a(), b_);
    EXPECT_EQ(shared, difference) << threads;
  }
}

TEST_P(Products, OfEveryProcessorAreTheSameButForRounding) {
  Matrix result(rows(), columns());
  detail::kernels_of_every_processor().product(
      {result.data(), rows(), columns(), rows()}, {a().data(), rows(), inner(), a().outerStride()},
      {b_.data(), inner(), columns(), inner()}, detail::Update::kSet);
  expect_near(result, matrix_product(a(), b_));
}

// Rows around the sizes of registers and blocks; the largest are shared by several threads.
INSTANTIATE_TEST_SUITE_P(Sizes, Products,
                         ::testing::Combine(::testing::Values<Index>(0, 1, 7, 97, 1037),
                                            ::testing::Values<Index>(1, 3, 130, 1022),
                                            ::testing::Values<Index>(1, 5, 33)));

}  // namespace
}  // namespace spca::product_kernels_test

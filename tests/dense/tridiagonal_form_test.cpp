/// Few eigenvectors, and forms of the resolvent, beside all eigenpairs.

#include "spca/dense/tridiagonal_form.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <random>

#include "spca/base/error.h"

namespace spca::tridiagonal_form_test {
namespace {

Matrix random_matrix(Index rows, Index columns) {
  std::mt19937_64 draws(7);
  std::normal_distribution<double> normal;
  Matrix matrix(rows, columns);
  for (double& entry : matrix.reshaped()) {
    entry = normal(draws);
  }
  return matrix;
}

Matrix symmetric(Index n) {
  const Matrix a = random_matrix(n, n);
  return a + a.transpose();
}

/// A is diagonal in blocks, and its eigenvalues 0, 1 and 2 repeat up to a tiny difference.
Matrix nearly_repeated(Index n) {
  Matrix a = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    a(i, i) = static_cast<double>(i % 3);
    if (i % 4 == 0 && i + 1 < n) {
      a(i, i + 1) = a(i + 1, i) = 1e-9;
    }
  }
  return a;
}

void expect_leading(const Matrix& a, Index count) {
  const SymmetricEigenpairs pairs =
      leading_symmetric_eigenpairs(a, [&](const Vector&) { return count; });
  const Index n = a.rows();
  const double scale = a.cwiseAbs().maxCoeff() * static_cast<double>(n) + 1e-300;
  ASSERT_EQ(pairs.values.size(), n);
  ASSERT_EQ(pairs.vectors.rows(), n);
  ASSERT_EQ(pairs.vectors.cols(), count);
  EXPECT_LE((pairs.values - symmetric_eigenvalues(a)).cwiseAbs().maxCoeff(), 1e-14 * scale);
  const Matrix rest = a * pairs.vectors - pairs.vectors * pairs.values.tail(count).asDiagonal();
  const Matrix products = pairs.vectors.transpose() * pairs.vectors;
  EXPECT_LE(rest.norm(), 1e-14 * scale);
  EXPECT_LE((products - Matrix::Identity(count, count)).norm(), 1e-12);
}

TEST(TridiagonalForm, HasTheLeadingEigenvectors) {
  for (const Index n : {1, 2, 3, 11, 12, 13, 40, 90}) {
    for (const Index count : {Index{0}, Index{1}, n / 4, n / 2, n}) {
      SCOPED_TRACE(testing::Message() << n << " rows, " << count << " vectors");
      expect_leading(symmetric(n), count);
      expect_leading(1e150 * symmetric(n), count);
      expect_leading(1e-150 * symmetric(n), count);
      expect_leading(Matrix::Zero(n, n), count);
      expect_leading(Matrix::Identity(n, n), count);
      expect_leading(nearly_repeated(n), count);
      const Matrix thin = random_matrix(n, (n + 4) / 5);
      expect_leading(thin * thin.transpose(), count);
    }
  }
}

TEST(TridiagonalForm, ReadsTheLowerTriangleAndCountsByTheValues) {
  Matrix a = symmetric(30);
  const Vector all = symmetric_eigenvalues(a);
  a.triangularView<Eigen::StrictlyUpper>().setConstant(1e9);
  const SymmetricEigenpairs pairs = leading_symmetric_eigenpairs(
      a, [&](const Vector& values) { return (values.array() > all[25]).count(); });
  EXPECT_LE((pairs.values - all).norm(), 1e-12);
  EXPECT_EQ(pairs.vectors.cols(), 4);
}

TEST(TridiagonalForm, SolvesShiftedEquations) {
  for (const Index n : {1, 2, 5, 60}) {
    const Matrix a = symmetric(n);
    const TridiagonalForm form(a);
    const Matrix b = random_matrix(n, 2);
    const Matrix c = form.in_basis(b);
    const double largest = form.values()[n - 1];
    // Beyond the spectrum, and between the two largest eigenvalues.
    for (const double x : {largest + 0.1, n > 1 ? (largest + form.values()[n - 2]) / 2 : -9.0}) {
      Vector solved = c.col(0);
      form.shifted(x).solve(solved);
      const Matrix shifted = x * Matrix::Identity(n, n) - a;
      const double expected = b.col(1).dot(shifted.fullPivLu().solve(b.col(0)));
      EXPECT_NEAR(solved.dot(c.col(1)), expected, 1e-9 * (1 + std::abs(expected))) << n;
    }
  }
}

TEST(TridiagonalForm, RefusesWhatIsNotFinite) {
  Matrix a = symmetric(20);
  a(7, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(TridiagonalForm form(a), NumericalError);
}

}  // namespace
}  // namespace spca::tridiagonal_form_test

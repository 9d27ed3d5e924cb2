/// Compares bounds on the largest squares of columns of S with S itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "spca/base/parallel.h"
#include "spca/base/random.h"
#include "spca/methods/bounds/dense_squares.h"
#include "tests/solver_testing.h"

namespace spca::dense_squares_test {
namespace {

/// Returns the sums that bound_largest_squares() bounds, from S itself.
std::vector<double> exact_sums(const Matrix& data, const Support& variables, Index count) {
  const Matrix selected = data(Eigen::all, variables);
  const Matrix covariance = selected.transpose() * selected;
  std::vector<double> sums;
  for (Index j = 0; j < covariance.cols(); ++j) {
    std::vector<double> squares;
    for (Index i = 0; i < covariance.rows(); ++i) {
      if (i != j) {
        squares.push_back(covariance(i, j) * covariance(i, j));
      }
    }
    std::sort(squares.begin(), squares.end(), std::greater<>());
    squares.resize(std::min(squares.size(), static_cast<std::size_t>(count)));
    sums.push_back(std::accumulate(squares.begin(), squares.end(), 0.0));
  }
  return sums;
}

Support every_other(Index p) {
  Support variables;
  for (Index j = 0; j < p; j += 2) {
    variables.push_back(j);
  }
  return variables;
}

struct SquaresCase {
  Index rows;
  Index columns;
  Index count;
};

class DenseSquares : public testing::TestWithParam<SquaresCase> {};

TEST_P(DenseSquares, AreAtLeastThoseOfSAndLittleMore) {
  const auto [n, p, count] = GetParam();
  Random random(17);
  Matrix data = trial::random_matrix(n, p, random);
  // A common factor, and columns of very different lengths.
  data.colwise() += data.col(0).eval();
  for (Index j = 0; j < p; ++j) {
    data.col(j) *= std::pow(10.0, static_cast<double>(j % 13) - 6);
  }
  data.col(p / 2).setZero();
  const Support variables = every_other(p);
  const std::vector<double> exact = exact_sums(data, variables, count);
  const std::vector<double> bounds =
      bound_largest_squares(data, variables, count, [] { return true; });
  ASSERT_EQ(bounds.size(), exact.size());
  for (std::size_t t = 0; t < exact.size(); ++t) {
    EXPECT_GE(bounds[t], exact[t]) << "variable " << t;
    // Correlations are near a half, and the rounding of each is below 1.3e-4.
    EXPECT_LE(bounds[t], exact[t] * 1.002) << "variable " << t;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, DenseSquares,
                         testing::Values(SquaresCase{40, 1500, 4}, SquaresCase{4500, 30, 7},
                                         SquaresCase{300, 20, 15}, SquaresCase{50, 8, 0}));

TEST(DenseSquaresOf, AreTheSameForEveryNumberOfThreads) {
  Random random(18);
  const Matrix data = trial::random_matrix(60, 1700, random);
  const Support variables = all_variables(1700);
  const auto bounds = [&](int threads) {
    const ThreadAllowance allowance(threads);
    return bound_largest_squares(data, variables, 9, [] { return true; });
  };
  const std::vector<double> one = bounds(1);
  EXPECT_EQ(bounds(2), one);
  EXPECT_EQ(bounds(3), one);
}

TEST(DenseSquaresOf, EndWhenTheyAreAskedTo) {
  Random random(19);
  const Matrix data = trial::random_matrix(20, 1200, random);
  int calls = 0;
  EXPECT_TRUE(
      bound_largest_squares(data, all_variables(1200), 3, [&] { return ++calls < 2; }).empty());
}

}  // namespace
}  // namespace spca::dense_squares_test

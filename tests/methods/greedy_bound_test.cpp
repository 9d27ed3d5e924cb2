/// Tests the dual bound that one vector gives: its matrices dominate, and it is not below the
/// optimum by enumeration.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "spca/base/random.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/bounds/greedy_bound.h"
#include "spca/spectrum/eigenpairs.h"
#include "tests/solver_testing.h"

namespace spca::greedy_bound_test {
namespace {

// Rounding for matrices of about 10 x 10 whose entries have the size of the largest variance.
constexpr double kRounding = 1e-9;

Component optimum_on_random_support(const Covariance& covariance, Index k, Random& random) {
  Vector keys(covariance.variables());
  for (double& key : keys) {
    key = random.uniform();
  }
  return best_on_support(covariance, top_k(keys, k)).component;
}

TEST(GreedyBound, DualMatricesDominate) {
  for (int seed = 0; seed < 100; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const auto n = static_cast<Index>(2 + random.below(8));
    const Index p = 8;
    const Matrix data = trial::random_matrix(n, p, random);
    const auto covariance = trial::as_covariance(data);
    const Component v = optimum_on_random_support(*covariance, 3, random);
    const GreedyOverlaps overlaps = greedy_overlaps(*covariance, v);
    const Vector x = (data(Eigen::all, v.support) * v.values).normalized();
    const double largest = covariance->diagonal().maxCoeff();
    const double rho = (0.02 + random.uniform()) * largest;
    const GreedyDual dual = greedy_dual(*covariance, overlaps, rho);
    Matrix sum = Matrix::Zero(n, n);
    for (Index i = 0; i < p; ++i) {
      const Vector y = dual.alpha[i] * data.col(i) - dual.beta[i] * x;
      const Matrix b = data.col(i) * data.col(i).transpose() - rho * Matrix::Identity(n, n);
      const Matrix difference = y * y.transpose() - b;
      EXPECT_GE(symmetric_eigenvalues(difference)[0],
                -kRounding * std::max(largest, y.squaredNorm()))
          << "seed " << seed << " i " << i;
      sum += y * y.transpose();
    }
    const double expected = symmetric_eigenvalues(sum)[n - 1] + 3 * rho;
    EXPECT_NEAR(greedy_bound(*covariance, dual, 3), expected, kRounding * expected);
  }
}

TEST(GreedyBound, IsNeverBelowTheOptimum) {
  int tight = 0;
  for (int seed = 0; seed < 500; ++seed) {
    Random random(static_cast<std::uint64_t>(1000 + seed));
    const auto p = static_cast<Index>(3 + random.below(8));
    const auto n = static_cast<Index>(1 + random.below(static_cast<std::uint64_t>(2 * p)));
    Matrix data = trial::random_matrix(n, p, random);
    if (seed % 5 == 1) {
      data.col(0).setZero();
    } else if (seed % 5 == 2) {
      data.col(p - 1) = data.col(0);
    }
    const auto from_data = trial::as_covariance(data);
    const auto covariance =
        seed % 2 == 0 ? from_data : make_explicit_covariance(Matrix(data.transpose() * data));
    const auto k = static_cast<Index>(1 + random.below(static_cast<std::uint64_t>(p)));
    const auto [optimum, best] = trial::best_by_enumeration(*covariance, k);
    const double at_random =
        greedy_bound(*covariance, optimum_on_random_support(*covariance, k, random), k).value;
    const GreedyBound found =
        greedy_bound(*covariance, best_on_support(*covariance, best).component, k);
    const double at_optimum = found.value;
    if (!std::isnan(at_optimum)) {
      const GreedyDual dual =
          greedy_dual(*covariance, greedy_overlaps(*covariance, found.vector), found.rho);
      EXPECT_EQ(greedy_bound(*covariance, dual, k), at_optimum);
    }
    for (const double bound : {at_random, at_optimum}) {
      EXPECT_FALSE(bound < optimum * (1 - kRounding)) << "seed " << seed << " k " << k;
    }
    tight += at_optimum < optimum * (1 + 1e-3) ? 1 : 0;
  }
  EXPECT_GT(tight, 50);  // the bound is not merely a large number
}

/// Two to four columns that differ by about 1e-4 to 1e-9 of their length: rho lies between their
/// overlaps, and what rounding leaves of ||a_i||^2 - c_i^2 decides the bound.
TEST(GreedyBound, CarriesTheRoundingOfAllButEqualColumns) {
  int bounded = 0;
  for (int seed = 0; seed < 400; ++seed) {
    Random random(static_cast<std::uint64_t>(5000 + seed));
    const auto n = static_cast<Index>(2 + random.below(4));
    const auto p = static_cast<Index>(2 + random.below(3));
    Matrix data(n, p);
    data.col(0) = 60'000 * trial::random_matrix(n, 1, random);
    const double difference = std::pow(10.0, 1 - static_cast<double>(random.below(6)));
    for (Index j = 1; j < p; ++j) {
      data.col(j) = data.col(0) + difference * trial::random_matrix(n, 1, random);
    }
    const auto covariance = seed % 2 == 0
                                ? trial::as_covariance(data)
                                : make_explicit_covariance(Matrix(data.transpose() * data));
    const auto k = static_cast<Index>(1 + random.below(static_cast<std::uint64_t>(p - 1)));
    const auto [optimum, best] = trial::best_by_enumeration(*covariance, k);
    const GreedyBound found =
        greedy_bound(*covariance, best_on_support(*covariance, best).component, k);
    EXPECT_FALSE(found.value < optimum) << "seed " << seed << " k " << k;
    bounded += std::isnan(found.value) ? 0 : 1;
  }
  EXPECT_GT(bounded, 200);
}

/// Both data sets gave a bound below the optimum, by 1.6e-10 and 1e-10 of it.
TEST(GreedyBound, IsNotBelowTheVarianceOfAlmostEqualIntegers) {
  Matrix centred(3, 2);
  centred << -38268, -38267, -16727, -16727, 64405, 64405;
  centred.rowwise() -= centred.colwise().mean().eval();
  Matrix raw(2, 2);
  raw << 10000004, 9999996, 9999996, 10000000;
  for (const Matrix& data : {centred, raw}) {
    const auto covariance = trial::as_covariance(data);
    Index largest = 0;
    const double optimum = covariance->diagonal().maxCoeff(&largest);
    const Component v = {.support = {largest}, .values = Vector::Ones(1)};
    EXPECT_FALSE(greedy_bound(*covariance, v, 1).value < optimum);
  }
}

}  // namespace
}  // namespace spca::greedy_bound_test

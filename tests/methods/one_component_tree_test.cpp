/// Tests the division by counts for one component as the search of branch-bound uses it: its bound
/// holds at any time, it ends at the optimum, and its certificate proves it from S alone.

#include "spca/methods/pairs/one_component_tree.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "tests/solver_testing.h"

namespace spca::one_component_tree_test {
namespace {

constexpr double kRounding = 1e-10;

double best_value(const Matrix& matrix, Index k) {
  double best = 0;
  trial::for_each_support(matrix.rows(), k, [&](const Support& support) {
    best = std::max(best, symmetric_eigenvalues(matrix(support, support)).tail(1).sum());
  });
  return best;
}

/// S of noise, and of variables that are alike.
Matrix noise(Index p, std::uint64_t seed) {
  Matrix data = trial::random_matrix(p, p, seed);
  data.col(1) = data.col(0) + 0.1 * data.col(1);
  data.col(3) = -data.col(2) + 0.1 * data.col(3);
  return data.transpose() * data / static_cast<double>(p);
}

double checked(const BoundCertificate& certificate, const Covariance& covariance, Index k) {
  return certificate.check(covariance, k);
}

TEST(OneComponentTree, EndsAtTheOptimumAndProvesIt) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Index p = 8 + static_cast<Index>(seed % 5);
    const Index k = 2 + static_cast<Index>(seed % 4);
    SCOPED_TRACE(seed);
    const Matrix matrix = noise(p, seed);
    const auto covariance = make_explicit_covariance(matrix);
    const Support variables = all_variables(p);
    const double best = best_value(matrix, k);
    ASSERT_TRUE(OneComponentTree::is_possible(*covariance, variables));
    OneComponentTree tree(matrix, k, best);
    EXPECT_FALSE(tree.is_due(0));
    Budget budget;
    for (double work = 1e9; tree.is_due(work) && work < 1e12; work *= 1.1) {
      tree.advance(work, 1, budget);
      EXPECT_GE(tree.bound(), best * (1 - kRounding));
      EXPECT_GE(checked(*tree.certificate(variables), *covariance, k), best * (1 - kRounding));
    }
    EXPECT_TRUE(tree.proves(best));
    EXPECT_FALSE(tree.proves(0.99 * best));
    EXPECT_LE(checked(*tree.certificate(variables), *covariance, k), best * (1 + kRounding));
  }
}

TEST(OneComponentTree, TheNumberOfThreadsDoesNotMatter) {
  const Index p = 30;
  const Matrix matrix = noise(p, 40);
  const auto covariance = make_explicit_covariance(matrix);
  const Support variables = all_variables(p);
  std::vector<double> bounds;
  for (const int threads : {1, 3}) {
    OneComponentTree tree(matrix, 8, 0.9 * matrix.diagonal().maxCoeff());
    Budget budget;
    for (double work = 1e9; tree.nodes() < 20 && tree.is_due(work); work *= 1.1) {
      tree.advance(work, threads, budget);
      bounds.push_back(tree.bound());
    }
  }
  ASSERT_GT(bounds.size(), 4U);
  const auto half = static_cast<std::ptrdiff_t>(bounds.size() / 2);
  EXPECT_TRUE(std::equal(bounds.begin(), bounds.begin() + half, bounds.begin() + half));
}

TEST(OneComponentTree, ACertificateOfSomeVariablesNeedsTheOthersToHaveNoVariance) {
  const Index p = 9;
  const Index k = 3;
  Matrix matrix = noise(p, 50);
  matrix.row(4).setZero();
  matrix.col(4).setZero();
  const auto covariance = make_explicit_covariance(matrix);
  const Support variables = {0, 1, 2, 3, 5, 6, 7, 8};
  const Matrix part = matrix(variables, variables);
  const double best = best_value(part, k);
  ASSERT_TRUE(OneComponentTree::is_possible(*covariance, variables));
  EXPECT_FALSE(OneComponentTree::is_possible(*covariance, {0, 1, 2, 3, 5, 6, 7}));
  OneComponentTree tree(part, k, best);
  Budget budget;
  for (double work = 1e9; tree.is_due(work); work *= 1.1) {
    tree.advance(work, 1, budget);
  }
  const auto certificate = tree.certificate(variables);
  EXPECT_NEAR(checked(*certificate, *covariance, k), best, kRounding * best);
  EXPECT_EQ(checked(*certificate, *make_explicit_covariance(noise(p, 50)), k),
            std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace spca::one_component_tree_test

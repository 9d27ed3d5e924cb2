/// The bounds of several orthogonal components: the relaxation over pools, and branch and bound.

#include "spca/methods/orthogonal/orthogonal_tree.h"
#include "spca/covariance/covariance_explicit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/small_eigenpair.h"
#include "spca/methods/orthogonal/orthogonal_bound.h"
#include "spca/methods/orthogonal/orthogonal_search.h"
#include "spca/methods/pools/pooled_relaxation.h"
#include "tests/orthogonal_case.h"
#include "tests/solver_testing.h"

namespace spca::orthogonal_tree_test {
namespace {

using trial::best_of_starts;
using trial::kSum;
using trial::OrthogonalCase;
using trial::random_orthogonal_case;

constexpr std::uint64_t kSeed = 29;
constexpr int kProblems = 24;
// The last smoothing of a node is 1e-4 of the largest eigenvalue of S, for each component and for
// the logarithm of the number of supports that are near the maximum.
constexpr double kSmoothing = 1e-3;

/// If the target is too low, only the bounds of the nodes keep the result above the value. If a
/// support of an answer were left out, the result would be below it.
TEST(OrthogonalTree, BoundsEveryAnswerWhenItsTargetIsTooLow) {
  Random random(kSeed);
  int closed = 0;
  for (int i = 0; i < kProblems; ++i) {
    const auto p = static_cast<Index>(5 + random.below(3));
    const auto r = static_cast<Index>(1 + random.below(3));
    const OrthogonalCase one = random_orthogonal_case(random, i, p, r, 4);
    SCOPED_TRACE(fmt::format("problem {}: p = {}, r = {}", i, p, r));
    const double value = best_of_starts(one, random);
    const double trace = one.matrix.trace();
    const Matrix factor = Matrix::Zero(p, 1);
    double root = factor.squaredNorm();
    for (const Index k : one.cardinality) {
      root += trial::best_by_enumeration(*make_explicit_covariance(one.matrix), k).value;
    }
    root += kSum * trace;
    for (const double share : {0.98, 1.0}) {
      const Index most_nodes = share < 1 ? 40 : 200;
      Budget budget;
      const OrthogonalTreeBound bound =
          orthogonal_tree_bound(one.matrix, one.cardinality, all_choices(p, one.cardinality),
                                factor, root, share * value, most_nodes, budget);
      EXPECT_GE(bound.value, value - kSum * trace) << share;
      EXPECT_LE(bound.value, root) << share;
      Budget short_one({.iterations = 3});
      const OrthogonalTreeBound before =
          orthogonal_tree_bound(one.matrix, one.cardinality, all_choices(p, one.cardinality),
                                factor, root, share * value, most_nodes, short_one);
      EXPECT_GE(before.value, bound.value - kSum * trace) << share;
      closed += share == 1 && bound.value <= value * (1 + kSmoothing) ? 1 : 0;
    }
  }
  // At least half of the gaps close, although the root has the poor Lambda = 0.
  EXPECT_GE(closed, kProblems / 2);
}

/// Two components on {1, 2, 3} and {3, 4, 5} alone would explain more than any orthogonal ones.
TEST(OrthogonalTree, SupportsThatShareOneVariableAreNoAnswer) {
  Matrix matrix = Matrix::Identity(5, 5);
  for (const Index i : {0, 1, 3, 4}) {
    matrix(i, 2) = matrix(2, i) = 0.7;
  }
  const OrthogonalCase one{.matrix = matrix, .cardinality = {3, 3}};
  Random random(kSeed);
  const double value = best_of_starts(one, random);
  Budget budget;
  const OrthogonalBound bound = orthogonal_bound(matrix, one.cardinality, {}, 1e-6, budget);
  EXPECT_GE(bound.value, value - kSum);
  EXPECT_LE(bound.value, value * (1 + kSmoothing));
  EXPECT_GT(bound.nodes, 0);
  Budget other;
  EXPECT_GT(orthogonal_bound_at(matrix, one.cardinality, {.factor = Matrix::Zero(5, 1)}, other),
            value + 0.05);
}

TEST(OrthogonalTree, TooManySupportsAreLeftToTheRelaxation) {
  EXPECT_TRUE(has_orthogonal_tree(13, {10, 10, 10}));
  EXPECT_TRUE(has_orthogonal_tree(64, {2}));
  EXPECT_FALSE(has_orthogonal_tree(65, {2}));
  EXPECT_FALSE(has_orthogonal_tree(40, {2, 4}));
}

TEST(PooledRelaxation, KnowsWhetherAnEigenvalueIsBelow) {
  Random random(kSeed + 1);
  for (int i = 0; i < 200; ++i) {
    const OrthogonalCase one = random_orthogonal_case(random, i, 9, 1, 9);
    const Matrix matrix = one.matrix - 2 * Matrix::Identity(9, 9);
    Support support(static_cast<std::size_t>(one.cardinality[0]));
    std::iota(support.begin(), support.end(), 9 - one.cardinality[0]);
    const double largest = small_leading_eigenvalue(matrix, support);
    const double scale = matrix.cwiseAbs().maxCoeff();
    EXPECT_TRUE(is_below(matrix, support, largest + 1e-9 * scale));
    EXPECT_FALSE(is_below(matrix, support, largest - 1e-9 * scale));
    EXPECT_FALSE(is_below(matrix, support, -std::numeric_limits<double>::infinity()));
  }
}

/// With all supports in the pools, descents from factors of any number of columns reach the same
/// minimum, which is less with shares.
TEST(PooledRelaxation, ADescentFromAnyFactorReachesTheSameValue) {
  Random random(kSeed + 2);
  for (int i = 0; i < 6; ++i) {
    const OrthogonalCase one = random_orthogonal_case(random, 3, 6, 3, 3);
    std::vector<double> values;
    std::vector<double> with_shares;
    for (const Index columns : {1, 3, 6, 2, 5}) {
      PooledRelaxation relaxation(one.matrix, std::vector<double>(3, 1.0));
      for (std::size_t t = 0; t < 3; ++t) {
        trial::for_each_support(6, one.cardinality[t],
                                [&](const Support& support) { relaxation.add(t, support); });
      }
      const bool has_shares = columns == 2 || columns == 5;
      PricePoint point{.factor = trial::random_matrix(6, columns, random),
                       .shares = Vector::Constant(has_shares ? 6 : 0, columns == 2 ? 0.2 : 0.6)};
      for (const double mu : {0.3, 0.1, 0.03, 0.01, 0.003}) {
        relaxation.minimise(point, {.mu = mu});
      }
      (has_shares ? with_shares : values).push_back(relaxation.value(point));
    }
    EXPECT_NEAR(values[0], values[2], 0.02 * values[2]) << i;
    EXPECT_NEAR(values[1], values[2], 0.02 * values[2]) << i;
    EXPECT_NEAR(with_shares[0], with_shares[1], 0.02 * values[2]) << i;
    EXPECT_LT(with_shares[0], 1.005 * values[2]) << i;
  }
}

}  // namespace
}  // namespace spca::orthogonal_tree_test

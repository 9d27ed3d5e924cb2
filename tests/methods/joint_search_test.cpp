/// Tests of the parts of the joint solvers: assignments in a span, the local search, sketches.

#include <gtest/gtest.h>

#include <algorithm>

#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/assignment.h"
#include "spca/methods/joint/disjoint.h"
#include "spca/methods/joint/joint_search.h"
#include "spca/spectrum/sketch.h"
#include "tests/solver_testing.h"

namespace spca::joint_search_test {
namespace {

// At most this relative difference between two computations of one sum, of weights, eigenvalues or
// squared entries.
constexpr double kSameTotal = 1e-9;

TEST(SpanAssignment, EqualsTheAssignmentOfAllRows) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Matrix factor = trial::random_matrix(300, 3, seed);
    for (Index i = 0; i < factor.rows(); ++i) {
      factor.row(i) *= seed % 2 == 0 ? std::exp(-0.05 * static_cast<double>(i * 7 % 300)) : 1.0;
    }
    const Matrix directions = trial::random_matrix(3, 4, seed + 1000).colwise().normalized();
    SpanAssignment by_prefix(factor, {3, 1, 4, 2});
    Assignment of_all({3, 1, 4, 2});
    const Matrix weights = (factor * directions).cwiseAbs2();
    EXPECT_EQ(by_prefix.solve(directions), of_all.solve(weights)) << "seed " << seed;
    EXPECT_NEAR(by_prefix.value(), of_all.value(), kSameTotal * of_all.value());
  }
}

TEST(JointSearch, NoStepLowersTheVariance) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Matrix rows = trial::random_matrix(60, 20, seed);
    const Matrix matrix = rows * rows.transpose();
    JointSearch search(matrix, {5, 5, 3});
    Random random(seed);
    JointSupports state = search.evaluate({{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}, {10, 11, 12}});
    state = search.evaluate(search.perturbed(state, random));
    std::vector<double> history = {state.total()};
    search.ascend(state, &history);
    search.exchange(state, &history);
    EXPECT_TRUE(std::is_sorted(history.begin(), history.end()));
    EXPECT_GT(history.size(), 2U);
    EXPECT_NEAR(search.evaluate(state.supports).total(), state.total(), kSameTotal * state.total());
  }
}

TEST(JointSearch, PerturbedSupportsStayDisjointAndFull) {
  const Matrix rows = trial::random_matrix(30, 20, 1);
  const Matrix matrix = rows * rows.transpose();
  JointSearch search(matrix, {5, 5, 3});
  const JointSupports state = search.evaluate({{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}, {10, 11, 12}});
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const std::vector<Support> supports = search.perturbed(state, random);
    Support all;
    for (std::size_t j = 0; j < supports.size(); ++j) {
      EXPECT_EQ(supports[j].size(), state.supports[j].size());
      EXPECT_TRUE(std::is_sorted(supports[j].begin(), supports[j].end()));
      all.insert(all.end(), supports[j].begin(), supports[j].end());
    }
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
  }
}

TEST(Sketch, RandomisedEqualsExactForAMatrixOfTheSameRank) {
  const Matrix rows = trial::random_matrix(40, 3, 7);
  const auto covariance = make_explicit_covariance(rows * rows.transpose());
  const LowRank exact = sketch(*covariance, "svd", 3, 1);
  const LowRank random = sketch(*covariance, "randomised-svd", 3, 1);
  const Matrix difference =
      exact.factor * exact.factor.transpose() - random.factor * random.factor.transpose();
  EXPECT_LT(difference.norm(), kSameTotal * covariance->total_variance());
  EXPECT_LT(sketch_error(*covariance, random.factor, 1), kSameTotal * covariance->total_variance());
}

/// The random projection of Theorem 3 (sketch.h cites it) is unbiased: E[V V'] = S, from data
/// and from S.
TEST(Sketch, GaussianIsUnbiased) {
  const Matrix data = trial::random_matrix(20, 6, 9);
  const auto from_data = make_covariance(Matrix(data), {});
  const Matrix s = from_data->submatrix({0, 1, 2, 3, 4, 5});
  const auto from_matrix = make_explicit_covariance(Matrix(s));
  for (const auto& covariance : {from_data, from_matrix}) {
    constexpr int kDraws = 2000;
    Matrix mean = Matrix::Zero(6, 6);
    for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
      const Matrix factor = sketch(*covariance, "gaussian", 4, seed).factor;
      mean += factor * factor.transpose() / kDraws;
    }
    // Four standard deviations of an entry, each at most sqrt(2 / 4) max S_jj / sqrt(2000).
    EXPECT_LT((mean - s).cwiseAbs().maxCoeff(), 0.07 * s.maxCoeff());
  }
}

}  // namespace
}  // namespace spca::joint_search_test

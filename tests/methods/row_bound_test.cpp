/// The bound by rows of a matrix: any matrix gives one, and the projections that it is sought by are
/// the nearest points.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "spca/algebra/dense_decompositions.h"
#include "spca/base/random.h"
#include "spca/methods/packing/fantope_projection.h"
#include "spca/methods/packing/row_bound.h"
#include "spca/methods/packing/row_projection.h"
#include "tests/disjoint_case.h"
#include "tests/solver_testing.h"

namespace spca::row_bound_test {
namespace {

using trial::DisjointCase;

constexpr auto kAlways = [] { return true; };
constexpr trial::DisjointSizes kSizes = {
    .fewest_variables = 4, .most_variables = 9, .most_components = 3, .largest_cardinality = 4};

double rounding_of(const DisjointCase& trial) { return 1e-9 * (1 + trial.matrix.trace()); }

/// By enumeration: each variable is in one component, or in none.
double optimum_of(const DisjointCase& trial) {
  std::vector<Support> supports(trial.cardinality.size());
  double best = 0;
  const std::function<void(Index)> place = [&](Index variable) {
    if (variable == trial.matrix.rows()) {
      double value = 0;
      for (const Support& support : supports) {
        value += support.empty() ? 0
                                 : symmetric_eigenvalues(Matrix(
                                       trial.matrix(support, support)))[std::ssize(support) - 1];
      }
      best = std::max(best, value);
      return;
    }
    place(variable + 1);
    for (std::size_t j = 0; j < supports.size(); ++j) {
      if (std::ssize(supports[j]) < trial.cardinality[j]) {
        supports[j].push_back(variable);
        place(variable + 1);
        supports[j].pop_back();
      }
    }
  };
  place(0);
  return best;
}

TEST(RowBound, IsNeverBelowTheOptimum) {
  constexpr int kTrials = trial::tries(200);
  double excess = 0;
  for (int seed = 0; seed < kTrials; ++seed) {
    SCOPED_TRACE(seed);
    const DisjointCase trial = trial::random_disjoint_case(seed, kSizes);
    const double optimum = optimum_of(trial);
    const RowBound bound =
        row_bound(trial.matrix, trial.cardinality, OutsideVariables(), 0, kAlways);
    EXPECT_GE(bound.value, optimum - rounding_of(trial));
    EXPECT_EQ(bound.value,
              row_bound_at(trial.matrix, trial.cardinality, OutsideVariables(), bound.rows));
    excess += bound.value / optimum - 1;
  }
  EXPECT_LT(excess / kTrials, 0.1);
}

TEST(RowBound, AnyMatrixGivesABound) {
  for (int seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const DisjointCase trial = trial::random_disjoint_case(seed, kSizes);
    const double optimum = optimum_of(trial);
    Random random(static_cast<std::uint64_t>(seed + 1000));
    const Index p = trial.matrix.rows();
    const Matrix noise = trial::random_matrix(p, p, random);
    for (const double size : {0.0, 0.1, 1.0}) {
      const Matrix rows = (1 - size) * trial.matrix + size * noise;
      EXPECT_GE(row_bound_at(trial.matrix, trial.cardinality, OutsideVariables(), rows),
                optimum - rounding_of(trial));
    }
  }
}

TEST(RowBound, CoversVariablesOutsideOfTheCore) {
  for (int seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const DisjointCase trial = trial::random_disjoint_case(seed, kSizes);
    const double optimum = optimum_of(trial);
    const Index places =
        std::accumulate(trial.cardinality.begin(), trial.cardinality.end(), Index{0});
    // The first ones: not even the largest variances.
    Support core(static_cast<std::size_t>(std::max(places, trial.matrix.rows() - 3)));
    std::iota(core.begin(), core.end(), 0);
    const Index most = *std::max_element(trial.cardinality.begin(), trial.cardinality.end());
    const OutsideVariables outside(*trial.covariance, core, most);
    const RowBound bound =
        row_bound(trial.covariance->submatrix(core), trial.cardinality, outside, 0, kAlways);
    EXPECT_GE(bound.value, optimum - rounding_of(trial));
  }
}

TEST(RowBound, IsTightForSeparateBlocks) {
  // Two blocks of rank one that have nothing in common, of three variables each.
  Matrix matrix = Matrix::Zero(6, 6);
  matrix.topLeftCorner(3, 3).setConstant(1);
  matrix.bottomRightCorner(3, 3).setConstant(2);
  EXPECT_NEAR(row_bound(matrix, {3, 3}, OutsideVariables(), 0, kAlways).value, 9, 0.01);
  EXPECT_EQ(row_bound(Matrix::Zero(2, 2), {1}, OutsideVariables(), 0, kAlways).rows.size(), 0);
}

TEST(RowBound, WhatIsNoProofGivesNoBound) {
  const Matrix matrix = Matrix::Identity(3, 3);
  EXPECT_TRUE(std::isinf(row_bound_at(matrix, {2}, OutsideVariables(), Matrix())));
  EXPECT_TRUE(std::isinf(row_bound_at(matrix, {2}, OutsideVariables(), Matrix::Zero(2, 3))));
  const Matrix no_number = Matrix::Constant(3, 3, kNotMeasured);
  EXPECT_TRUE(std::isinf(row_bound_at(matrix, {2}, OutsideVariables(), no_number)));
}

/// <v - y, c - y> <= 0 for all c of the set, which the x_i x span.
TEST(RowProjection, IsTheNearestPoint) {
  constexpr Index kVariables = 6;
  for (int seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Index k = 1 + seed % 5;
    const Index i = seed % kVariables;
    const Vector v = 2 * trial::random_matrix(kVariables, 1, random);
    RowProjection projection(kVariables, k);
    Vector y(kVariables);
    const double z = projection.project(v, i, 0, y);
    ASSERT_GE(z, 0);
    ASSERT_LE(z, 1);
    const double most = row_cost(v - y, i, k).worth;
    EXPECT_NEAR(most, (v - y).dot(y), 1e-3 * v.norm());
    for (int draw = 0; draw < 50; ++draw) {
      Vector x = Vector::Zero(kVariables);
      x[i] = random.normal();
      for (Index t = 1; t < k; ++t) {
        x[(i + t * (1 + draw % 2)) % kVariables] = random.normal();
      }
      x.normalize();
      EXPECT_LE(x[i] * (v - y).dot(x), most + 1e-9);
    }
  }
}

TEST(FantopeProjection, KeepsTheTraceAndTheEigenvaluesWithinLimits) {
  Random random(1);
  const Matrix noise = trial::random_matrix(40, 40, random);
  FantopeProjection projection(40, 3);
  const Matrix y = projection.project(noise + noise.transpose());
  const Vector values = symmetric_eigenvalues(y);
  EXPECT_NEAR(y.trace(), 3, 1e-9);
  EXPECT_GE(values.minCoeff(), -1e-9);
  EXPECT_LE(values.maxCoeff(), 1 + 1e-9);
}

}  // namespace
}  // namespace spca::row_bound_test

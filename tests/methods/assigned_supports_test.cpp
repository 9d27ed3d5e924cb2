/// Tests the enumeration of assignments of variables to overlapping supports, against all pairs of
/// supports.

#include "spca/methods/pairs/assigned_supports.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/methods/orthogonal/orthogonal_search.h"
#include "tests/orthogonal_case.h"
#include "tests/solver_testing.h"

namespace spca::assigned_supports_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e-9;
constexpr Index kVariables = 6;

double largest_eigenvalue(const Matrix& matrix, const Support& support) {
  return symmetric_eigenvalues(selected(matrix, support, support)).maxCoeff();
}

std::vector<int> counts_of(const Support& a, const Support& b) {
  std::vector<int> counts(kVariables, 0);
  for (const Support* support : {&a, &b}) {
    for (const Index variable : *support) {
      ++counts[static_cast<std::size_t>(variable)];
    }
  }
  return counts;
}

PairConditions conditions_of(const trial::OrthogonalCase& one, const std::vector<int>& counts) {
  PairConditions conditions = PairConditions::shared(one.cardinality, kVariables);
  for (Index i = 0; i < kVariables; ++i) {
    conditions.least[i] = counts[static_cast<std::size_t>(i)];
    conditions.most[i] = conditions.least[i];
  }
  return conditions;
}

/// The best values of all pairs of full supports with the same counts, without and with
/// orthogonality.
struct Best {
  double of_each = -kInfinity, orthogonal = -kInfinity;
};

std::map<std::vector<int>, Best> best_by_counts(const trial::OrthogonalCase& one) {
  const OrthogonalSearch search(one.matrix, one.cardinality,
                                {.of_loadings = true, .of_scores = false});
  const Matrix near = Matrix::Zero(kVariables, 2);
  std::map<std::vector<int>, Best> best;
  trial::for_each_support(kVariables, one.cardinality[0], [&](const Support& a) {
    trial::for_each_support(kVariables, one.cardinality[1], [&](const Support& b) {
      Best& of = best[counts_of(a, b)];
      of.of_each = std::max(of.of_each,
                            largest_eigenvalue(one.matrix, a) + largest_eigenvalue(one.matrix, b));
      of.orthogonal = std::max(of.orthogonal, search.evaluate({a, b}, near).value);
    });
  });
  return best;
}

TEST(AssignedSupports, BoundAllPairsWithTheSameCounts) {
  Random random(5);
  Random of_factors(7);
  for (int i = 0; i < 12; ++i) {
    const trial::OrthogonalCase one = trial::random_orthogonal_case(random, i, kVariables, 2, 3);
    SCOPED_TRACE(i);
    const double slack = kRounding * one.matrix.trace();
    const Matrix factor = trial::random_matrix(kVariables, 1 + i % 2, of_factors);
    for (const auto& [counts, best] : best_by_counts(one)) {
      const double bound =
          assigned_bound(one.matrix, one.cardinality, conditions_of(one, counts), {}, -kInfinity);
      EXPECT_GE(bound, best.orthogonal - slack);
      EXPECT_LE(bound, best.of_each + slack);
      // Any Lambda gives a bound.
      EXPECT_GE(assigned_bound(one.matrix, one.cardinality, conditions_of(one, counts), factor,
                               -kInfinity),
                best.orthogonal - slack);
      const bool is_disjoint = *std::max_element(counts.begin(), counts.end()) == 1;
      if (is_disjoint) {
        EXPECT_NEAR(bound, best.orthogonal, slack);
      }
      // The relaxation ends early once it is at most the level, but still gives a valid bound.
      EXPECT_GE(
          assigned_bound(one.matrix, one.cardinality, conditions_of(one, counts), {}, kInfinity),
          best.orthogonal - slack);
    }
  }
}

TEST(AssignedSupports, TwoFreePlacesAreTriedWithEveryVariable) {
  Random random(6);
  const trial::OrthogonalCase one = trial::random_orthogonal_case(random, 3, kVariables, 2, 3);
  const Index places = one.cardinality[0] + one.cardinality[1];
  double best = -kInfinity;
  for (const auto& [counts, of] : best_by_counts(one)) {
    best = std::max(best, of.orthogonal);
  }
  PairConditions conditions = PairConditions::shared(one.cardinality, kVariables);
  EXPECT_EQ(assigned_bound(one.matrix, one.cardinality, conditions, {}, -kInfinity),
            places <= 2 ? best : kInfinity);
  // Variables of an optimum take all but two places.
  for (const auto& [counts, of] : best_by_counts(one)) {
    if (of.orthogonal < best) {
      continue;
    }
    Index left = places;
    for (Index i = 0; i < kVariables && left > 2; ++i) {
      conditions.least[i] =
          std::min<double>(counts[static_cast<std::size_t>(i)], static_cast<double>(left - 2));
      left -= static_cast<Index>(conditions.least[i]);
    }
    const double bound = assigned_bound(one.matrix, one.cardinality, conditions, {}, -kInfinity);
    EXPECT_GE(bound, best - kRounding * one.matrix.trace());
    EXPECT_TRUE(std::isfinite(bound));
  }
}

TEST(AssignedSupports, CountsThatNoSupportsHaveGiveMinusInfinity) {
  const Matrix matrix = Matrix::Identity(kVariables, kVariables);
  PairConditions conditions = PairConditions::shared({2, 2}, kVariables);
  conditions.least.setZero();
  conditions.most.setZero();
  EXPECT_EQ(assigned_bound(matrix, {2, 2}, conditions, {}, 0), -kInfinity);  // both would be empty
  conditions.least.head(5).setOnes();
  conditions.most.head(5).setOnes();
  EXPECT_EQ(assigned_bound(matrix, {2, 2}, conditions, {}, 0), -kInfinity);  // five in four places
}

TEST(AssignedSupports, TooManyAssignmentsGiveNoBound) {
  const Index p = 24;
  const Matrix matrix = Matrix::Identity(p, p) + Matrix::Ones(p, p);
  PairConditions conditions = PairConditions::shared({12, 12}, p);
  conditions.least.setOnes();
  conditions.most.setOnes();
  EXPECT_EQ(assigned_bound(matrix, {12, 12}, conditions, {}, 0), kInfinity);
}

}  // namespace
}  // namespace spca::assigned_supports_test

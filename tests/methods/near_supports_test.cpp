/// The supports that may be in a better answer, and the division by them.

#include "spca/methods/orthogonal/near_supports.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "spca/dense/dense_products.h"
#include "spca/dense/small_eigenpair.h"
#include "spca/methods/orthogonal/all_supports.h"
#include "spca/methods/orthogonal/orthogonal_bound.h"
#include "spca/methods/pools/pooled_relaxation.h"
#include "tests/orthogonal_case.h"
#include "tests/solver_testing.h"

namespace spca::near_supports_test {
namespace {

using trial::best_of_starts;
using trial::kSum;
using trial::OrthogonalCase;
using trial::random_orthogonal_case;

constexpr std::uint64_t kSeed = 31;
constexpr int kProblems = 40;

/// A random factor of this size, and shares for every other problem.
PricePoint random_point(Random& random, int problem, Index p, double size) {
  PricePoint point{.factor = size * trial::random_matrix(p, 2, random)};
  if (problem % 2 == 1) {
    point.shares = Vector::Zero(p);
    for (double& share : point.shares) {
      share = random.uniform();
    }
  }
  return point;
}

/// The value of a support of S - Lambda with the gains of the point.
double value_of(const Matrix& left, const PricePoint& point, const Support& support) {
  const double gain = point.gains(left.rows())(support).sum();
  return small_leading_eigenvalue(left, support) + gain;
}

/// f of a point, and the largest value for each cardinality, by enumeration.
struct Root {
  double total = 0;
  std::map<Index, double> largest = {};
};

Root root_of(const OrthogonalCase& one, const PricePoint& point) {
  const Matrix left = left_of(one.matrix, point.factor);
  Root root{.total = point.paid()};
  for (const Index k : one.cardinality) {
    double largest = -std::numeric_limits<double>::infinity();
    for_all_supports(left.rows(), k, [&](const Support& support) {
      largest = std::max(largest, value_of(left, point, support));
    });
    root.largest[k] = largest;
    root.total += largest;
  }
  return root;
}

std::map<Index, double> levels_of(const Root& root, double target) {
  std::map<Index, double> levels;
  for (const auto& [k, largest] : root.largest) {
    levels[k] = largest - (root.total - target);
  }
  return levels;
}

std::set<Support> in_variables(const NearSupports& near, Index k) {
  std::set<Support> supports;
  for (Support support : near.choices.at(k)) {
    for (Index& i : support) {
      i = near.core[static_cast<std::size_t>(i)];
    }
    supports.insert(support);
  }
  return supports;
}

TEST(NearSupports, AreAllThatExceedTheLevel) {
  Random random(kSeed);
  int some = 0;
  for (int i = 0; i < kProblems; ++i) {
    const auto p = static_cast<Index>(5 + random.below(4));
    const OrthogonalCase one = random_orthogonal_case(random, i, p, 2, 4);
    SCOPED_TRACE(fmt::format("problem {}: p = {}", i, p));
    const PricePoint point = random_point(random, i, p, 0.3);
    const Matrix left = left_of(one.matrix, point.factor);
    const Root root = root_of(one, point);
    const std::map<Index, double> levels =
        levels_of(root, root.total - 0.3 * random.uniform() * one.matrix.trace());
    Budget budget;
    const NearSupports near =
        NearSupportSearch(left, point.gains(one.matrix.rows())).above(levels, budget);
    if (near.is_empty()) {
      continue;  // the level is below every value
    }
    ++some;
    for (const auto& [k, level] : levels) {
      std::set<Support> expected;
      for (Index size = 1; size <= k; ++size) {
        for_all_supports(p, size, [&](const Support& support) {
          if (value_of(left, point, support) > level) {
            expected.insert(support);
          }
        });
      }
      EXPECT_EQ(in_variables(near, k), expected) << "k = " << k;
    }
  }
  EXPECT_GT(some, kProblems / 2);
}

/// If the target is too low, only the bounds of the nodes keep the result above the value; if it is
/// too high, no answer is above it.
TEST(NearSupports, TheDivisionByThemBoundsEveryAnswer) {
  Random random(kSeed + 1);
  for (int i = 0; i < trial::tries(kProblems); ++i) {
    const auto p = static_cast<Index>(5 + random.below(3));
    const auto r = static_cast<Index>(2 + random.below(2));
    const OrthogonalCase one = random_orthogonal_case(random, i, p, r, 4);
    SCOPED_TRACE(fmt::format("problem {}: p = {}, r = {}", i, p, r));
    const double value = best_of_starts(one, random);
    const PricePoint point = random_point(random, i, p, 0.2);
    const Root root = root_of(one, point);
    EXPECT_GE(root.total, value - kSum * one.matrix.trace());
    const double trace = one.matrix.trace();
    for (const double share : {0.95, 1.0, 1.05}) {
      const double target = share * value;
      if (target >= root.total) {
        continue;
      }
      Budget budget;
      const std::map<Index, double> levels = levels_of(root, target);
      const NearSupports near =
          NearSupportSearch(left_of(one.matrix, point.factor), point.gains(one.matrix.rows()))
              .above(levels, budget);
      if (near.is_empty()) {
        continue;
      }
      const OrthogonalTreeBound bound = orthogonal_tree_bound(
          one.matrix(near.core, near.core), one.cardinality, near.choices,
          point.factor(near.core, Eigen::all), root.total + kSum * trace, target, 60, budget);
      EXPECT_GE(std::max(bound.value, target), value - kSum * trace) << share;
      EXPECT_GE(bound.value, target) << share;
    }
  }
}

/// Seventy variables have too many supports to enumerate all. Twelve of them share a factor, so the
/// best supports of three are nearly equal.
TEST(NearSupports, ServeAProblemOfManyVariables) {
  constexpr Index kVariables = 70;
  Random random(kSeed + 2);
  const Matrix noise = trial::random_matrix(2 * kVariables, kVariables, random);
  Vector loadings = Vector::Zero(kVariables);
  loadings.head(12) = Vector::LinSpaced(12, 1.2, 0.8);
  OrthogonalCase one{.matrix = noise.transpose() * noise / static_cast<double>(2 * kVariables),
                     .cardinality = {3, 3}};
  one.matrix = symmetric_part(one.matrix + loadings * loadings.transpose());
  ASSERT_FALSE(has_orthogonal_tree(kVariables, one.cardinality));
  const double value = best_of_starts(one, random);
  // Without prices both components are bounded by the best support.
  OrthogonalProof proof{
      .point = {.factor = Matrix::Zero(kVariables, 1)}, .target = 1.01 * value, .nodes = 20};
  Budget budget;
  const double root = orthogonal_bound_at(one.matrix, one.cardinality, proof.point, budget);
  ASSERT_GT(root, proof.target);
  const double bound = check_orthogonal_proof(one.matrix, one.cardinality, proof, budget);
  EXPECT_LT(bound, root - 0.2 * (root - value));
  EXPECT_GE(bound, value);
  // No claim of a proof makes the bound less than the value.
  for (const double share : {0.0, 0.5, 0.99}) {
    proof.target = share * value;
    EXPECT_GE(check_orthogonal_proof(one.matrix, one.cardinality, proof, budget), value) << share;
  }
}

}  // namespace
}  // namespace spca::near_supports_test

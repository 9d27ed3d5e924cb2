/// Compares the assignment of variables to components with the Hungarian method on the bipartite
/// graph that the paper builds, and with enumeration.

#include "spca/dense/assignment.h"

#include <gtest/gtest.h>

#include "spca/base/random.h"
#include "tests/hungarian.h"

namespace spca::assignment_test {
namespace {

// Rounding of two sums of the same few weights.
constexpr double kRounding = 1e-12;

struct AssignmentCase {
  Matrix weights;
  std::vector<Index> capacities;
};

/// Returns a case whose weights depend on the seed: squares of normal numbers, small whole numbers
/// (ties everywhere), mostly zeros, equal rows, equal columns, or numbers of very different size.
/// Every third case has p = sum k_j.
AssignmentCase random_case(std::uint64_t seed) {
  Random random(seed);
  const auto below = [&](std::uint64_t count) { return static_cast<Index>(random.below(count)); };
  AssignmentCase result;
  const Index r = 1 + below(5);
  Index places = 0;
  for (Index j = 0; j < r; ++j) {
    result.capacities.push_back(1 + below(4));
    places += result.capacities.back();
  }
  const Index p = places + (seed % 3 == 0 ? 0 : below(15));
  result.weights.resize(p, r);
  const std::uint64_t kind = seed % 7;
  for (double& weight : result.weights.reshaped()) {
    const double normal = random.normal();
    weight = kind == 1 || kind == 3       ? static_cast<double>(below(4))
             : kind == 2                  ? static_cast<double>(below(8) == 0)
             : kind == 6 && below(2) == 0 ? 1e-9 * normal * normal
                                          : normal * normal;
  }
  for (Index i = 1; i < p && kind == 4; ++i) {
    result.weights.row(i) = result.weights.row(below(static_cast<std::uint64_t>(i)));
  }
  for (Index j = 1; j < r && kind == 5; ++j) {
    result.weights.col(j) = result.weights.col(0);
  }
  return result;
}

void expect_feasible(const std::vector<Support>& supports, const std::vector<Index>& capacities,
                     Index p) {
  std::vector<bool> used(static_cast<std::size_t>(p), false);
  ASSERT_EQ(supports.size(), capacities.size());
  for (std::size_t j = 0; j < supports.size(); ++j) {
    EXPECT_LE(std::ssize(supports[j]), capacities[j]);
    EXPECT_TRUE(std::is_sorted(supports[j].begin(), supports[j].end()));
    for (const Index i : supports[j]) {
      EXPECT_FALSE(used[static_cast<std::size_t>(i)]) << "row " << i << " twice";
      used[static_cast<std::size_t>(i)] = true;
    }
  }
}

TEST(Assignment, EqualsTheHungarianMethodOnTheLiteralGraph) {
  for (std::uint64_t seed = 0; seed < 10000; ++seed) {
    const AssignmentCase given = random_case(seed);
    Assignment assignment(given.capacities);
    const std::vector<Support> found = assignment.solve(given.weights);
    const double expected = trial::assigned_weight(
        given.weights, trial::literal_supports(given.weights, given.capacities));
    const double weight = trial::assigned_weight(given.weights, found);
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_feasible(found, given.capacities, given.weights.rows());
    for (std::size_t j = 0; j < found.size(); ++j) {
      ASSERT_EQ(std::ssize(found[j]), given.capacities[j]);
    }
    ASSERT_NEAR(weight, expected, kRounding * (1 + expected));
    ASSERT_NEAR(assignment.value(), weight, kRounding * (1 + expected));
  }
}

/// There are more places than rows. The Hungarian method requires p >= places, so rows of weight
/// zero are added for it.
TEST(Assignment, FillsAsManyPlacesAsThereAreRows) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    AssignmentCase given = random_case(seed);
    const Index p = given.weights.rows();
    given.capacities[0] += p;
    Matrix padded = Matrix::Zero(3 * p, given.weights.cols());
    padded.topRows(p) = given.weights;
    Assignment assignment(given.capacities);
    const std::vector<Support> found = assignment.solve(given.weights);
    expect_feasible(found, given.capacities, p);
    const double expected =
        trial::assigned_weight(padded, trial::literal_supports(padded, given.capacities));
    ASSERT_NEAR(assignment.value(), expected, kRounding * (1 + expected)) << "seed " << seed;
  }
}

TEST(Assignment, GivesEqualRowsByIndex) {
  Assignment assignment({2, 1});
  EXPECT_EQ(assignment.solve(Matrix::Ones(6, 2)), (std::vector<Support>{{0, 1}, {2}}));
  EXPECT_EQ(assignment.solve(Matrix::Zero(6, 2)), (std::vector<Support>{{0, 1}, {2}}));
}

TEST(Assignment, ColumnsWithoutPlacesStayEmpty) {
  Assignment assignment({0, 2, 0});
  Matrix weights = Matrix::Ones(4, 3);
  weights(3, 1) = 2;
  EXPECT_EQ(assignment.solve(weights), (std::vector<Support>{{}, {0, 3}, {}}));
  Assignment none({0, 0});
  EXPECT_EQ(none.solve(Matrix::Ones(3, 2)), (std::vector<Support>{{}, {}}));
}

/// State that an object keeps from one call must not show in the next call.
TEST(Assignment, OneObjectAnswersLikeANewOne) {
  Assignment kept({2, 3});
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    Matrix weights(5 + static_cast<Index>(random.below(30)), 2);
    for (double& weight : weights.reshaped()) {
      weight = static_cast<double>(random.below(6));
    }
    Assignment fresh({2, 3});
    ASSERT_EQ(kept.solve(weights), fresh.solve(weights)) << "seed " << seed;
  }
}

/// Rows that are at most as heavy as the limit that select() returns can be left out.
TEST(Assignment, SelectSaysWhichRowsCannotMatter) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    Matrix weights(200, 3);
    for (double& weight : weights.reshaped()) {
      weight = random.uniform();
    }
    Assignment assignment({2, 3, 4});
    const double least = assignment.select(weights);
    const double value = (assignment.assign(weights), assignment.value());
    Matrix more(400, 3);
    more.topRows(200) = weights;
    more.bottomRows(200).setConstant(least);
    assignment.solve(more);
    ASSERT_EQ(assignment.value(), value);
  }
}

}  // namespace
}  // namespace spca::assignment_test

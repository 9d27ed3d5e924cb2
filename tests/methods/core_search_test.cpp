/// The core, and the starts and hops that the searches for several components have in common.

#include "spca/methods/ascent/core_search.h"
#include "spca/covariance/covariance_explicit.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "spca/dense/dense_selections.h"
#include "tests/solver_testing.h"

namespace spca::core_search_test {
namespace {

TEST(Core, HoldsSOfItsVariables) {
  const Matrix data = trial::random_data(20, 8, 1);
  const auto covariance = trial::as_explicit(data);
  Core core(*covariance);
  core.set({5, 1, 5, 3});
  EXPECT_EQ(core.variables(), (Support{1, 3, 5}));
  EXPECT_EQ(core.matrix(), covariance->submatrix({1, 3, 5}));
  EXPECT_FALSE(core.add({3, 1}));
  EXPECT_TRUE(core.add({7, 0, 1}));
  EXPECT_EQ(core.variables(), (Support{0, 1, 3, 5, 7}));
  EXPECT_EQ(core.matrix(), covariance->submatrix({0, 1, 3, 5, 7}));
  EXPECT_EQ(core.positions({{3, 7}, {0}}), (std::vector<Support>{{2, 4}, {0}}));
  EXPECT_EQ(core.at({{2, 4}, {0}}), (std::vector<Support>{{3, 7}, {0}}));
  EXPECT_FALSE(core.is_whole());
  core.add(all_variables(8));
  EXPECT_TRUE(core.is_whole());
}

/// A single variable; its value is its variance. An ascent goes to the next variable of the core as
/// long as that has a larger variance.
struct Place {
  Index position = -1;
  double value = 0;
  double total() const { return value; }
  bool is_empty() const { return position < 0; }
};

Place moved(const Place& place, const Support& before, const Support& after) {
  const Index variable = before[static_cast<std::size_t>(place.position)];
  const auto found = std::find(after.begin(), after.end(), variable);
  return {.position = found - after.begin(), .value = place.value};
}

void climb(const Matrix& matrix, Place& place) {
  while (place.position + 1 < matrix.rows() &&
         matrix(place.position + 1, place.position + 1) > matrix(place.position, place.position)) {
    ++place.position;
  }
  place.value = matrix(place.position, place.position);
}

/// Variances with several local optima: 1 3 2 5 4 9 0 7 8 6.
std::shared_ptr<const Covariance> variances() {
  Vector diagonal(10);
  diagonal << 1, 3, 2, 5, 4, 9, 0, 7, 8, 6;
  return make_explicit_covariance(Matrix(diagonal.asDiagonal()));
}

class PlaceSearch : public ::testing::TestWithParam<int> {
 protected:
  std::shared_ptr<const Covariance> covariance = variances();
  Problem problem{.covariance = *covariance, .seed = 5, .threads = GetParam()};
  Budget budget;
  CoreSearch<Place> search{problem, climb, budget};
};

TEST_P(PlaceSearch, KeepsTheBestOfTheStatesAndTheNext) {
  search.extend(all_variables(10));
  EXPECT_FALSE(search.has_answer());
  EXPECT_TRUE(search.improve({{.position = 0}, {.position = 6}, {.position = 2}}));
  EXPECT_EQ(search.best().position, 8);
  EXPECT_EQ(search.runner_up().position, 3);
  EXPECT_FALSE(search.improve({{.position = 7}}));
  EXPECT_TRUE(search.runner_up().is_empty());
  search.consider({.position = 5, .value = 8 + 1e-13});  // even a gain within rounding counts
  EXPECT_EQ(search.best().position, 5);
}

TEST_P(PlaceSearch, RenumbersTheBestIfTheCoreIncreases) {
  search.extend({4, 5, 6});
  search.improve({{.position = 0}});
  EXPECT_EQ(search.best().position, 1);
  EXPECT_TRUE(search.extend({0, 9}));
  EXPECT_EQ(search.core().variables(), (Support{0, 4, 5, 6, 9}));
  EXPECT_EQ(search.best().position, 2);
}

TEST_P(PlaceSearch, DrawsEachStartOnce) {
  search.extend(all_variables(10));
  std::vector<Index> seen;
  search.draw(
      11, [](Index number) { return number; },
      [&](const std::vector<Index>& numbers) {
        seen.insert(seen.end(), numbers.begin(), numbers.end());
      });
  EXPECT_EQ(seen, all_variables(11));
  EXPECT_EQ(budget.iterations(), 2);
}

TEST_P(PlaceSearch, HopsUntilThePatienceIsOver) {
  search.extend(all_variables(10));
  search.improve({{.position = 0}});
  std::vector<Index> firsts;
  search.hop(2 * kStatesAtOnce, [&](Index first) {
    firsts.push_back(first);
    // The second batch gains.
    return std::vector<Place>(kStatesAtOnce, Place{.position = firsts.size() == 2 ? 4 : 0});
  });
  EXPECT_EQ(firsts, (std::vector<Index>{0, 8, 16, 24}));
  EXPECT_EQ(search.hops(), 32);
  EXPECT_EQ(search.value(), 9);
}

TEST_P(PlaceSearch, GrowsOnlyByNewVariables) {
  search.extend({0, 1});
  search.improve({{.position = 0}});
  int hops = 0;
  EXPECT_FALSE(search.grow({1}, [&] { ++hops; }));
  EXPECT_EQ(hops, 0);
  EXPECT_FALSE(search.grow({2}, [&] { ++hops; }));
  EXPECT_TRUE(search.grow({3}, [&] {
    ++hops;
    search.improve({{.position = 3}});
  }));
  EXPECT_EQ(hops, 2);
}

INSTANTIATE_TEST_SUITE_P(Threads, PlaceSearch, ::testing::Values(1, 3));

}  // namespace
}  // namespace spca::core_search_test

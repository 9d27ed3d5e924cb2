/// Tests of the division of supports by their largest loading, of its bound by the equations of the
/// eigenvector, and of the search, against enumeration: with prices, rules on pairs, equal and zero
/// variables.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "spca/base/parallel.h"
#include "spca/base/random.h"
#include "spca/methods/ascent/priced_supports.h"
#include "spca/methods/pricing/loading_search.h"
#include "tests/pricing_question.h"

namespace spca::loading_search_test {
namespace {

using namespace trial;

const auto kAlways = [] { return true; };

/// Returns the largest mean worth of `count` disjoint supports, where a support counts as at least
/// the target; minus infinity if there are not `count` disjoint ones.
double best_mean(const PricingQuestion& question, Index count) {
  std::vector<std::pair<double, unsigned>> falling;  // worth, and the variables as bits
  for (const Support& support : question.allowed) {
    unsigned bits = 0;
    for (const Index i : support) {
      bits |= 1U << static_cast<unsigned>(i);
    }
    falling.emplace_back(std::max(question.net(support), question.pricing.target), bits);
  }
  std::sort(falling.begin(), falling.end(), std::greater<>());
  double best = -std::numeric_limits<double>::infinity();
  const auto extend = [&](const auto& self, std::size_t from, Index left, double sum,
                          unsigned used) -> void {
    if (left == 0) {
      best = std::max(best, sum);
      return;
    }
    for (std::size_t t = from; t < falling.size(); ++t) {
      const auto& [worth, bits] = falling[t];
      if (!(sum + static_cast<double>(left) * worth > best)) {
        return;
      }
      if ((bits & used) == 0) {
        self(self, t + 1, left - 1, sum + worth, used | bits);
      }
    }
  };
  extend(extend, 0, count, 0, 0);
  return best / static_cast<double>(count);
}

bool holds(const LoadingFamily& family, const Support& support) {
  const auto is_in = [&](const std::vector<int>& variables, Index i) {
    return std::find(variables.begin(), variables.end(), i) != variables.end();
  };
  return std::all_of(
             support.begin(), support.end(),
             [&](Index i) { return is_in(family.chosen, i) || is_in(family.candidates, i); }) &&
         std::all_of(family.chosen.begin(), family.chosen.end(),
                     [&](int i) { return std::binary_search(support.begin(), support.end(), i); });
}

/// Returns true if negative entries have a small part of the squares off the diagonal. Both bounds
/// by the spectrum are then used.
bool has_few_signs(const Matrix& matrix) {
  const double all = matrix.squaredNorm() - matrix.diagonal().squaredNorm();
  const double negative = matrix.cwiseMin(0).squaredNorm();
  return negative > 0 && negative < 0.25 * all;
}

/// A support that exceeds the target has a leader. It stays in the family of that leader, and obeys
/// the family's bound.
TEST(LoadingSearch, NoLeaderLosesItsSupports) {
  int closed = 0;
  int dropped = 0;
  int exceeding = 0;
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    SCOPED_TRACE(seed);
    const PricingQuestion question(seed);
    StrongestEntries strongest(question.matrix);
    LoadingBound bound(question.matrix, question.pricing, question.k, strongest);
    std::vector<LoadingFamily> open;
    for (Index leader = 0; leader < question.matrix.rows(); ++leader) {
      LoadingFamily family = bound.of_leader(leader);
      const auto all = family.candidates.size();
      if (bound.reduce(family, question.pricing.target, 5)) {
        dropped += family.chosen.size() + family.candidates.size() < all + 1 ? 1 : 0;
        open.push_back(std::move(family));
      } else {
        ++closed;
      }
    }
    for (const Support& support : question.allowed) {
      const double net = question.net(support);
      if (net > question.pricing.target + question.rounding()) {
        ++exceeding;
        EXPECT_TRUE(std::any_of(open.begin(), open.end(), [&](const LoadingFamily& family) {
          return holds(family, support) && net <= family.bound + question.rounding();
        }));
      }
    }
  }
  // Otherwise the test would be vacuous.
  EXPECT_GT(closed, 100);
  EXPECT_GT(dropped, 100);
  EXPECT_GT(exceeding, 100);
}

TEST(LoadingSearch, EndsAtTheOptimumOrTheTarget) {
  int exceeded = 0;
  int divided = 0;
  int divided_of_few_signs = 0;
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    SCOPED_TRACE(seed);
    const PricingQuestion question(seed);
    StrongestEntries strongest(question.matrix);
    LoadingSearch search(question.matrix, question.pricing, question.k, strongest, kAlways);
    EXPECT_EQ(search.bound(1), std::numeric_limits<double>::infinity());
    search.begin();
    const double pair = best_mean(question, 2);
    for (int step = 0; step < 1000 && !search.is_finished(); ++step) {
      ASSERT_GE(search.bound(1), question.optimum - question.rounding());
      ASSERT_GE(search.bound(2), pair - question.rounding());
      ASSERT_LE(search.bound(2), search.bound(1) + question.rounding());
      search.advance();
      ++divided;
      divided_of_few_signs += has_few_signs(question.matrix) ? 1 : 0;
    }
    ASSERT_TRUE(search.is_finished());
    const double expected = std::max(question.optimum, question.pricing.target);
    EXPECT_NEAR(search.bound(1), expected, question.rounding());
    if (question.optimum > question.pricing.target + question.rounding()) {
      ++exceeded;
      ASSERT_EQ(std::ssize(search.support()), question.k);
      EXPECT_TRUE(question.pricing.rules.allow(search.support()));
      EXPECT_NEAR(question.net(search.support()), question.optimum, question.rounding());
    }
  }
  EXPECT_GT(exceeded, 100);
  EXPECT_GT(divided, 50);
  EXPECT_GT(divided_of_few_signs, 20);
}

TEST(LoadingSearch, IsTheSameOnSeveralThreads) {
  int steps = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const PricingQuestion question(seed);
    const StrongestEntries strongest(question.matrix);
    const auto begun = [&](int threads) {
      const ThreadAllowance allowance(threads);
      auto search = std::make_unique<LoadingSearch>(question.matrix, question.pricing, question.k,
                                                    strongest, kAlways);
      search->begin();
      return search;
    };
    const auto one = begun(1);
    const auto three = begun(3);
    for (; !one->is_finished(); ++steps) {
      one->advance();
      three->advance();
      ASSERT_EQ(one->bound(2), three->bound(2));
      ASSERT_EQ(one->work(), three->work());
    }
    ASSERT_TRUE(three->is_finished());
    EXPECT_EQ(one->supports(), three->supports());
  }
  EXPECT_GT(steps, 20);
}

/// Disjoint supports have different leaders, so the bound on the mean of three may be below that of
/// one.
TEST(LoadingSearch, SeveralSupportsHaveDifferentLeaders) {
  int less = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    PricingQuestion question(seed);
    question.pricing.target = 0;
    StrongestEntries strongest(question.matrix);
    LoadingSearch search(question.matrix, question.pricing, question.k, strongest, kAlways);
    search.begin();
    for (const Index count : {1, 2, 3}) {
      EXPECT_GE(search.bound(count), best_mean(question, count) - question.rounding());
    }
    less += search.bound(3) < search.bound(1) - question.rounding() ? 1 : 0;
  }
  EXPECT_GT(less, 50);
}

TEST(LoadingSearch, TheMeanOfTheLargestCountsTheFloorForThoseThatAreMissing) {
  EXPECT_DOUBLE_EQ(mean_of_largest({5, 1, 4, 2}, 0, 2), 4.5);
  EXPECT_DOUBLE_EQ(mean_of_largest({5}, 2, 3), 3);
  EXPECT_DOUBLE_EQ(mean_of_largest({}, 2, 3), 2);
  EXPECT_DOUBLE_EQ(mean_of_largest({1, 3}, 2, 2), 2.5);
}

}  // namespace
}  // namespace spca::loading_search_test

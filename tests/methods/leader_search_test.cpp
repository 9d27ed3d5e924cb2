/// The division of supports by their first variable, its bound by sums of squares, and the search,
/// against enumeration: with prices, rules on pairs, equal and zero variables.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "spca/base/random.h"
#include "spca/methods/ascent/priced_supports.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/packing/leader_search.h"
#include "tests/pricing_question.h"

namespace spca::leader_search_test {
namespace {

using namespace trial;

const auto kAlways = [] { return true; };

bool holds(const LeaderPart& part, const Support& support) {
  return std::all_of(support.begin(), support.end(),
                     [&](Index i) {
                       return i == part.leader ||
                              std::binary_search(part.partners.begin(), part.partners.end(), i);
                     }) &&
         std::binary_search(support.begin(), support.end(), part.leader);
}

TEST(LeaderSearch, EverySupportIsInOnePart) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const PricingQuestion question(seed, 0);
    const std::vector<LeaderPart> parts = parts_by_leader(question.matrix);
    for_each_support(question.matrix.rows(), question.k, [&](const Support& support) {
      EXPECT_EQ(std::count_if(parts.begin(), parts.end(),
                              [&](const LeaderPart& part) { return holds(part, support); }),
                1);
    });
  }
}

TEST(LeaderSearch, NoPartLosesASupportThatExceedsTheTarget) {
  int closed = 0;
  int dropped = 0;
  int exceeding = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(seed);
    const PricingQuestion question(seed, 0);
    const LeaderBound bound(question.matrix, question.pricing, question.k);
    for (const LeaderPart& whole : parts_by_leader(question.matrix)) {
      LeaderPart part = whole;
      const bool is_open = bound.reduce(part);
      closed += is_open ? 0 : 1;
      dropped += is_open && part.partners.size() < whole.partners.size() ? 1 : 0;
      for_each_support(question.matrix.rows(), question.k, [&](const Support& support) {
        const double net = question.net(support);
        if (holds(whole, support) && question.pricing.rules.allow(support) &&
            net > question.pricing.target + question.rounding()) {
          ++exceeding;
          EXPECT_TRUE(is_open);
          EXPECT_TRUE(holds(part, support));
          EXPECT_LE(net, part.bound + question.rounding());
        }
      });
    }
  }
  // Or it would say nothing.
  EXPECT_GT(closed, 100);
  EXPECT_GT(dropped, 100);
  EXPECT_GT(exceeding, 100);
}

TEST(LeaderSearch, EndsAtTheOptimumOrTheTarget) {
  int exceeded = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    const PricingQuestion question(seed, 0);
    LeaderSearch search(question.matrix, question.pricing, question.k, kAlways);
    EXPECT_EQ(search.bound(), std::numeric_limits<double>::infinity());
    search.begin({});
    for (int step = 0; step < 1000 && !search.is_finished(); ++step) {
      ASSERT_GE(search.bound(), question.optimum - question.rounding());
      search.advance();
    }
    ASSERT_TRUE(search.is_finished());
    const double expected = std::max(question.optimum, question.pricing.target);
    EXPECT_NEAR(search.bound(), expected, question.rounding());
    if (question.optimum > question.pricing.target + question.rounding()) {
      ++exceeded;
      ASSERT_EQ(std::ssize(search.support()), question.k);
      EXPECT_TRUE(question.pricing.rules.allow(search.support()));
      EXPECT_NEAR(question.net(search.support()), question.optimum, question.rounding());
    }
  }
  EXPECT_GT(exceeded, 50);
}

/// Those of every part, from the relaxation of all its variables.
TEST(LeaderSearch, HintsSaveSearchesAndWrongOnesDoNoHarm) {
  int saved = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    PricingQuestion question(seed, 0);
    if (!(question.matrix.diagonal().maxCoeff() > 0)) {
      continue;
    }
    question.pricing.target = std::max(question.optimum, 0.0) + 1e-3 * question.scale();
    LeaderHints hints;
    LeaderHints wrong;
    for (LeaderPart& part : parts_by_leader(question.matrix)) {
      if (!LeaderBound(question.matrix, question.pricing, question.k).reduce(part)) {
        continue;
      }
      Support variables = part.partners;
      variables.push_back(part.leader);
      std::sort(variables.begin(), variables.end());
      const Matrix matrix = principal_submatrix(question.matrix, variables);
      Support first(static_cast<std::size_t>(question.k));
      std::iota(first.begin(), first.end(), Index{0});
      std::vector<Index> barred;
      PairRules rules = question.pricing.rules;
      rules.required.push_back(part.leader);
      RelaxationTree tree(factor_covariance(matrix), matrix, first,
                          {.prices = question.pricing.prices(variables),
                           .target = question.pricing.target,
                           .rules = rules.among(variables, barred)});
      EXPECT_TRUE(barred.empty());
      tree.begin(kAlways);
      for (int step = 0; step < 300 && !tree.is_finished(); ++step) {
        tree.advance(1);
      }
      hints[part.leader] = tree.certificate();
      wrong[question.matrix.rows() - 1 - part.leader] = tree.certificate();
    }
    LeaderSearch plain(question.matrix, question.pricing, question.k, kAlways);
    plain.begin({});
    LeaderSearch hinted(question.matrix, question.pricing, question.k, kAlways);
    hinted.begin(hints);
    EXPECT_NEAR(hinted.bound(), question.pricing.target, question.rounding());
    saved += plain.is_finished() ? 0 : 1;
    question.pricing.target = std::max(0.0, question.optimum - 0.05 * question.scale());
    for (const LeaderHints& other : {hints, wrong}) {
      LeaderSearch misled(question.matrix, question.pricing, question.k, kAlways);
      misled.begin(other);
      EXPECT_GE(misled.bound(), question.optimum - question.rounding());
    }
  }
  EXPECT_GT(saved, 20);
}

}  // namespace
}  // namespace spca::leader_search_test

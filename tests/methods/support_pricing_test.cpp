/// Tests prices on variables, rules on pairs, and targets in the relaxation, the searches and their
/// certificates, against enumeration of the supports.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "spca/methods/ascent/priced_supports.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/relaxation_tree.h"
#include "spca/methods/bounds/search_by_turns.h"
#include "spca/methods/relaxations/cardinality_relaxation.h"
#include "spca/methods/relaxations/support_family.h"
#include "tests/solver_testing.h"

namespace spca::support_pricing_test {
namespace {

using namespace trial;

constexpr double kRounding = 1e-9;

Index below(Random& random, Index n) {
  return static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
}

/// S of p variables with prices that are zero, at most half the largest variance, or twice it; if
/// `with_rules`, also with rules on pairs and, for some seeds, required and barred variables.
struct PricedProblem {
  Matrix matrix;
  Index k = 1;
  SupportPricing pricing;

  PricedProblem(std::uint64_t seed, bool with_rules) {
    Random random(seed);
    const Index p = 3 + below(random, 10);
    Matrix data = random_matrix(1 + below(random, 2 * p), p, random);
    if (seed % 5 == 1) {
      data.col(p - 1) = data.col(0);
    } else if (seed % 5 == 2) {
      data.col(1).setZero();
    }
    matrix = data.transpose() * data;
    k = 1 + below(random, std::min<Index>(p, 6));
    const double largest = matrix.diagonal().maxCoeff();
    pricing.prices = Vector::Zero(p);
    for (double& price : pricing.prices) {
      const Index kind = seed % 3 == 0 ? 0 : below(random, 4);
      price = kind == 0 ? 0 : (kind == 3 ? 2 * largest : 0.5 * largest * random.uniform());
    }
    for (Index t = below(random, 4); with_rules && t > 0; --t) {
      const Index a = below(random, p - 1);
      const Index b = a + 1 + below(random, p - 1 - a);
      (below(random, 2) == 0 ? pricing.rules.together : pricing.rules.apart).emplace_back(a, b);
    }
    if (with_rules && seed % 4 == 3) {
      pricing.rules.required.push_back(below(random, p));
      pricing.rules.barred.push_back(below(random, p));
    }
  }
  double scale() const { return 1 + matrix.trace() + pricing.prices.sum(); }
  double net(const Support& support) const {
    return priced_support(matrix, pricing.prices, support).net;
  }
  /// Minus infinity if no support is allowed.
  double optimum() const {
    double best = -std::numeric_limits<double>::infinity();
    for_each_support(matrix.rows(), k, [&](const Support& support) {
      if (pricing.rules.allow(support)) {
        best = std::max(best, net(support));
      }
    });
    return best;
  }
  Support first() const {
    Support support(static_cast<std::size_t>(k));
    std::iota(support.begin(), support.end(), 0);
    return support;
  }
};

const auto kAlways = [] { return true; };

TEST(SupportPricing, ShareOfThePriceIsAVariablesOwn) {
  // A candidate costs price + mu, so a price without mu is the same as an equal mu at price 0.
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const Index p = 2 + below(random, 6);
    const Matrix columns = random_matrix(1 + below(random, p), p, random);
    const Matrix y = random_matrix(columns.rows(), 1, random).normalized();
    const double price = 0.1 + random.uniform();
    RelaxationTerms common(std::make_shared<DenseColumns>(columns), 0);
    RelaxationTerms own(std::make_shared<DenseColumns>(columns), 0,
                        Eigen::ArrayXd::Constant(p, price));
    for (RelaxationTerms* terms : {&common, &own}) {
      terms->move_to(y, 1e-3);
    }
    common.solve(price, RelaxationTerms::Start::kZero);
    own.solve(0, RelaxationTerms::Start::kZero);
    EXPECT_NEAR(common.value(0), own.value(0), kRounding * (1 + common.value(0)));
    EXPECT_LT((common.dual_columns() - own.dual_columns()).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_LT((common.gradient(y) - own.gradient(y)).cwiseAbs().maxCoeff(), 1e-6);
  }
}

TEST(SupportPricing, NoBoundOfTheRelaxationIsBelowTheOptimum) {
  int settled_variables = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed + 7000);
    const PricedProblem problem(seed, false);
    if (!(problem.matrix.diagonal().maxCoeff() > 0)) {
      continue;
    }
    const auto factor = factor_covariance(problem.matrix);
    SupportFamily family = SupportFamily::all(problem.matrix.rows());
    if (seed % 2 == 1) {
      family.branch(static_cast<int>(below(random, problem.matrix.rows())), true);
    }
    CardinalityRelaxation relaxation =
        relaxation_on(*factor, family, problem.k, problem.pricing.prices / factor->unit());
    const Matrix y = random_matrix(factor->dimension(), 1, random).normalized();
    if (seed % 4 == 0) {
      relaxation.set({.y = y, .floor = 1e-3, .price = random.below(2) == 0 ? 0 : random.uniform()});
    } else {
      relaxation.evaluate(y, 1e-2, nullptr);
    }
    const double optimum = problem.optimum();
    const double limit = factor->priced_limit(optimum - 0.05 * problem.scale() * random.uniform());
    const SettledVariables settled = settle_variables(relaxation, limit, 1);
    settled_variables += static_cast<int>(settled.out.size() + settled.inside.size());
    for_each_support(problem.matrix.rows(), problem.k, [&](const Support& support) {
      const auto has = [&](int i) {
        return std::binary_search(support.begin(), support.end(), Index{i});
      };
      if (!family.chosen.empty() && !has(family.chosen[0])) {
        return;
      }
      const double net = problem.net(support) / factor->unit();
      EXPECT_LE(net, settled.bound + factor->excess() + kRounding * problem.scale());
      if (net > limit + kRounding * problem.scale()) {
        for (const Index i : settled.out) {
          EXPECT_FALSE(has(family.candidates[static_cast<std::size_t>(i)]));
        }
        for (const Index i : settled.inside) {
          EXPECT_TRUE(has(family.candidates[static_cast<std::size_t>(i)]));
        }
      }
    });
  }
  EXPECT_GT(settled_variables, 100);  // otherwise the test would be vacuous
}

/// With and without rules on pairs.
class SupportPricingSearch : public ::testing::TestWithParam<bool> {};

TEST_P(SupportPricingSearch, TheRelaxationTreeEndsAtTheOptimumAndItsCertificateHolds) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const PricedProblem problem(seed, GetParam());
    if (!(problem.matrix.diagonal().maxCoeff() > 0)) {
      continue;
    }
    const double optimum = problem.optimum();
    const double rounding = kRounding * problem.scale();
    const std::shared_ptr<const FactoredCovariance> factor = factor_covariance(problem.matrix);
    RelaxationTree tree(factor, problem.matrix, problem.first(), problem.pricing);
    tree.begin(kAlways);
    for (int step = 0; step < 300 && !tree.is_finished(); ++step) {
      ASSERT_GE(tree.bound(), optimum - rounding);
      SupportPricing pricing = problem.pricing;
      pricing.target = tree.value();
      ASSERT_GE(tree.certificate()->bound(*factor, pricing, kAlways), optimum - rounding);
      tree.advance(1);
    }
    ASSERT_TRUE(tree.is_finished());
    SupportPricing pricing = problem.pricing;
    pricing.target = tree.value();
    const double certified = tree.certificate()->bound(*factor, pricing, kAlways);
    if (std::isfinite(optimum)) {
      EXPECT_NEAR(tree.value(), optimum, rounding);
      EXPECT_NEAR(problem.net(tree.support()), optimum, rounding);
      EXPECT_NEAR(certified, optimum, rounding);
    } else {
      EXPECT_EQ(tree.bound(), optimum);
    }
  }
}

TEST_P(SupportPricingSearch, TheSquaresEndAtTheOptimum) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const PricedProblem problem(seed, GetParam());
    const double optimum = problem.optimum();
    const double rounding = kRounding * problem.scale();
    SquaresTree tree(problem.matrix, problem.first(), problem.pricing, kAlways);
    for (int step = 0; step < 300 && !tree.is_finished(); ++step) {
      ASSERT_GE(tree.bound(), optimum - rounding);
      tree.advance(1);
    }
    ASSERT_TRUE(tree.is_finished());
    if (std::isfinite(optimum)) {
      EXPECT_NEAR(tree.value(), optimum, rounding);
    } else {
      EXPECT_EQ(tree.bound(), optimum);
    }
  }
}

TEST_P(SupportPricingSearch, ATargetIsExceededOrShownToBound) {
  int exceeded = 0;
  int bounded = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    PricedProblem problem(seed, GetParam());
    const double optimum = problem.optimum();
    if (!(problem.matrix.diagonal().maxCoeff() > 0) || !std::isfinite(optimum)) {
      continue;
    }
    const double rounding = kRounding * problem.scale();
    Random random(seed);
    problem.pricing.target = optimum + 0.02 * problem.scale() * (random.uniform() - 0.5);
    SearchByTurns search(problem.matrix, problem.first(), problem.pricing, kAlways);
    RelaxationTree tree(factor_covariance(problem.matrix), problem.matrix, problem.first(),
                        problem.pricing);
    tree.begin(kAlways);
    for (int step = 0; step < 300 && !search.is_finished(); ++step) {
      search.advance(1, kAlways);
    }
    for (int step = 0; step < 300 && !tree.is_finished(); ++step) {
      tree.advance(1);
    }
    ASSERT_TRUE(search.is_finished());
    ASSERT_TRUE(tree.is_finished());
    const double expected = std::max(optimum, problem.pricing.target);
    EXPECT_NEAR(search.bound(), expected, rounding);
    EXPECT_NEAR(tree.bound(), expected, rounding);
    if (optimum > problem.pricing.target + rounding) {
      EXPECT_NEAR(search.value(), optimum, rounding);
      EXPECT_NEAR(tree.value(), optimum, rounding);
      ++exceeded;
    } else {
      ++bounded;
    }
  }
  EXPECT_GT(exceeded, 20);
  EXPECT_GT(bounded, 20);
}

TEST(SupportPricing, RulesRequireAndBarVariables) {
  const PairRules rules{.together = {}, .apart = {}, .required = {2}, .barred = {0, 5}};
  EXPECT_TRUE(rules.allow({1, 2}));
  EXPECT_FALSE(rules.allow({1, 3}));
  EXPECT_FALSE(rules.allow({0, 2}));
  EXPECT_EQ(rules.among({1, 2, 5}).required, std::vector<Index>{1});
  EXPECT_EQ(rules.among({1, 2, 5}).barred, std::vector<Index>{2});
  EXPECT_FALSE(rules.among({1, 5}).allow({0, 1}));  // the required variable is not among them
  std::vector<int> chosen;
  std::vector<int> candidates{0, 1, 2, 3, 4, 5};
  EXPECT_TRUE(rules.apply(chosen, candidates));
  EXPECT_EQ(chosen, std::vector<int>{2});
  EXPECT_EQ(candidates, (std::vector<int>{1, 3, 4}));
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutRules, SupportPricingSearch, ::testing::Bool());

TEST(SupportPricing, RulesAmongFewerVariablesBarThoseWhosePartnerIsGone) {
  const PairRules rules{.together = {{1, 4}, {2, 3}}, .apart = {{0, 3}, {1, 5}}};
  EXPECT_TRUE(rules.allow({1, 4}));
  EXPECT_FALSE(rules.allow({1, 2, 3}));
  EXPECT_FALSE(rules.allow({0, 2, 3}));
  const PairRules few = rules.among({0, 2, 3, 4, 5});
  EXPECT_EQ(few.barred, std::vector<Index>{3});  // variable 4, whose partner is 1
  EXPECT_EQ(few.together, (std::vector<PairRules::Pair>{{1, 2}}));
  EXPECT_EQ(few.apart, (std::vector<PairRules::Pair>{{0, 2}}));
}

}  // namespace
}  // namespace spca::support_pricing_test

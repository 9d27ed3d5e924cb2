/// Compares maximise_charged() and check_charged() with enumeration.

#include "spca/methods/packing/charged_pricing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "spca/methods/packing/violated_rows.h"
#include "tests/pricing_question.h"

namespace spca::charged_pricing_test {
namespace {

using trial::PricingQuestion;

/// Returns one to three rows with charges, over random variables, with divisors from 1 to 3.
std::vector<SubsetCharge> random_charges(const PricingQuestion& question, Random& random) {
  std::vector<SubsetCharge> charges(1 + random.below(3));
  for (SubsetCharge& one : charges) {
    for (Index i = 0; i < question.matrix.rows(); ++i) {
      if (random.below(2) == 0) {
        one.row.variables.push_back(i);
      }
    }
    one.row.divisor = 1 + static_cast<Index>(random.below(3));
    one.charge = 0.4 * question.matrix.diagonal().maxCoeff() * random.uniform();
  }
  return charges;
}

TEST(ChargedPricing, IsTheMaximumOverAllSupports) {
  int divided = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    PricingQuestion question(seed, 0);
    Random random(seed + 500);
    const std::vector<SubsetCharge> charges = random_charges(question, random);
    double optimum = -1e300;
    for (const Support& support : question.allowed) {
      optimum = std::max(optimum, question.net(support) - charge_for(charges, support));
    }
    question.pricing.target =
        std::max(0.0, optimum) + 0.05 * question.scale() * (seed % 2 == 0 ? 0 : 1);
    SupportPricer pricer(question.matrix, {}, question.k);
    Support start(static_cast<std::size_t>(question.k));
    std::iota(start.begin(), start.end(), 0);
    Budget budget;
    const ChargedOptimum answer =
        maximise_charged(pricer, question.matrix, question.pricing, charges, start, 1, budget);
    EXPECT_TRUE(answer.is_proven);
    EXPECT_NEAR(answer.bound, question.pricing.target, question.rounding());
    Budget check;
    const double checked = check_charged(pricer, question.matrix.rows(), question.pricing, charges,
                                         answer.division, question.k, 1, check);
    EXPECT_GE(checked, optimum - question.rounding());
    EXPECT_LE(checked, question.pricing.target + question.rounding());
    divided += answer.division.parts.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(divided, 20);
}

TEST(ChargedPricing, ASupportThatPaysAllItsChargesIsFound) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    PricingQuestion question(seed, 0);
    Random random(seed + 900);
    const std::vector<SubsetCharge> charges = random_charges(question, random);
    double optimum = -1e300;
    const auto net = [&](const Support& support) {
      return question.net(support) - charge_for(charges, support);
    };
    for (const Support& support : question.allowed) {
      optimum = std::max(optimum, net(support));
    }
    if (!(optimum > 0.01 * question.scale())) {
      continue;
    }
    question.pricing.target = 0.9 * optimum;
    SupportPricer pricer(question.matrix, {}, question.k);
    Support start(static_cast<std::size_t>(question.k));
    std::iota(start.begin(), start.end(), 0);
    Budget budget;
    const ChargedOptimum answer =
        maximise_charged(pricer, question.matrix, question.pricing, charges, start, 1, budget);
    EXPECT_GE(answer.bound, optimum - question.rounding());
    EXPECT_TRUE(std::any_of(answer.found.begin(), answer.found.end(), [&](const Support& one) {
      return net(one) > question.pricing.target;
    }));
  }
}

TEST(ChargedPricing, AnInvalidDivisionProvesNothing) {
  const PricingQuestion question(3, 0);
  SupportPricer pricer(question.matrix, {}, question.k);
  const auto checked = [&](const PricingDivision& division) {
    Budget budget;
    return check_charged(pricer, question.matrix.rows(), question.pricing, {}, division, question.k,
                         1, budget);
  };
  Support start(static_cast<std::size_t>(question.k));
  std::iota(start.begin(), start.end(), 0);
  const PricingDivision::Part part{.proof = {.start = start}};
  EXPECT_TRUE(std::isfinite(checked({.parts = {part}})));
  EXPECT_EQ(checked({}), INFINITY);
  PricingDivision division{.parts = {part, part, part}};
  for (const auto& [variable, with, without] :
       {std::tuple<Index, Index, Index>{0, 0, 2}, {0, 1, 3}, {question.matrix.rows(), 1, 2}}) {
    division.parts[0].variable = variable;
    division.parts[0].with = with;
    division.parts[0].without = without;
    EXPECT_EQ(checked(division), INFINITY);
  }
  // A variable that divides again would be twice among the required variables of the rules.
  division.parts[0].variable = 0;
  division.parts[0].with = 1;
  division.parts[0].without = 2;
  division.parts[1] = division.parts[0];
  division.parts[1].with = 3;
  division.parts[1].without = 4;
  division.parts.resize(5, part);
  EXPECT_EQ(checked(division), INFINITY);
  // Parts with two parents would have more paths than parts: here 2^p of them.
  division.parts.assign(static_cast<std::size_t>(question.matrix.rows()) + 1, part);
  for (Index i = 0; i < question.matrix.rows(); ++i) {
    PricingDivision::Part& divided = division.parts[static_cast<std::size_t>(i)];
    divided.variable = i;
    divided.with = divided.without = i + 1;
  }
  EXPECT_EQ(checked(division), INFINITY);
}

TEST(SubsetRow, CountsASupportByItsVariablesInTheRow) {
  const SubsetRow row{.variables = {1, 3, 4, 7, 8}, .divisor = 2};
  EXPECT_EQ(row.right_side(), 2);
  EXPECT_EQ(row.count({1, 2, 5}), 0);
  EXPECT_EQ(row.count({0, 3, 8}), 1);
  EXPECT_EQ(row.count({1, 3, 4, 7}), 2);
}

TEST(SubsetRow, ViolatedRowsAreThoseThatPartsViolate) {
  // Each pair of three variables is taken by a half, but only one pair fits.
  const std::vector<PackingProgram::Taken> triangle{
      {{0, 1}, 1, 0.5}, {{0, 2}, 1, 0.5}, {{1, 2}, 1, 0.5}};
  const auto rows = violated_rows(triangle, 10);
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows[0].variables, (Support{0, 1, 2}));
  EXPECT_EQ(rows[0].divisor, 2);
  EXPECT_TRUE(violated_rows({{{0, 1}, 1, 1}, {{2, 3}, 1, 1}}, 10).empty());
  EXPECT_TRUE(violated_rows({}, 10).empty());
}

}  // namespace
}  // namespace spca::charged_pricing_test

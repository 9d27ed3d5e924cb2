/// Tests the pricing of supports that the division bounded by pairs proves before the other
/// searches end.

#include "spca/methods/pricing/support_pricer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "spca/methods/ascent/priced_supports.h"
#include "spca/methods/ascent/support_ascent.h"
#include "tests/solver_testing.h"

namespace spca::support_pricer_test {
namespace {

constexpr Index kVariables = 40;
constexpr Index kSize = 18;
constexpr double kRounding = 1e-8;

Matrix noise(std::uint64_t seed) {
  const Matrix data = trial::random_matrix(kVariables, kVariables, seed);
  return data.transpose() * data / static_cast<double>(kVariables);
}

/// A pricing problem on noise whose target is the worth of the best support without prices.
struct Question {
  Matrix matrix;
  Support start;
  SupportPricing pricing;

  explicit Question(std::uint64_t seed) : matrix(noise(seed)) {
    SupportAscent ascent(matrix, kSize);
    ascent.search([](double) { return true; });
    start = ascent.support();
    Random random(seed);
    pricing.prices = Vector::Zero(kVariables);
    for (double& price : pricing.prices) {
      price = 0.01 * random.uniform();
    }
    pricing.target = net(start);
  }
  double net(const Support& support) const {
    return priced_support(matrix, pricing.prices, support).net;
  }
};

double checked(SupportPricer& pricer, const SupportPricing& pricing, const PricingProof& proof) {
  Budget budget;
  return pricer.check(pricing, proof, kSize, 1, budget);
}

/// Puts random numbers into the proof.
PricingProof altered(const PricingProof& proof, double noise, std::uint64_t seed) {
  Random random(seed);
  OverlapProof other = *proof.by_pairs;
  for (OverlapProof::Node& node : other.nodes) {
    const Index size = node.pairs.prices.size();
    node.pairs.costs += noise * trial::random_matrix(node.pairs.costs.rows(), size, random);
    node.pairs.prices += noise * trial::random_matrix(size, 1, random).col(0);
  }
  PricingProof result = proof;
  result.by_pairs = std::make_shared<const OverlapProof>(std::move(other));
  return result;
}

TEST(SupportPricer, ProvesByPairsWhatOtherSearchesDoNot) {
  int proved = 0;
  for (std::uint64_t seed = 0; seed < trial::tries(3); ++seed) {
    SCOPED_TRACE(seed);
    const Question question(seed);
    SupportPricer pricer(question.matrix, {}, kSize);
    Budget budget;
    const PricedOptimum optimum = pricer.maximise(question.pricing, question.start, 1, budget);
    const double best = std::max(question.net(question.start), question.net(optimum.support));
    EXPECT_GE(optimum.bound, best - kRounding);
    EXPECT_GE(checked(pricer, question.pricing, optimum.proof), best - kRounding);
    if (optimum.proof.by_pairs == nullptr) {
      continue;
    }
    ++proved;
    EXPECT_TRUE(optimum.is_proven);
    EXPECT_NEAR(checked(pricer, question.pricing, optimum.proof), optimum.bound, kRounding);
    for (const double noise : {0.01, 1.0}) {
      const PricingProof other = altered(optimum.proof, noise, seed);
      EXPECT_GE(checked(pricer, question.pricing, other), best - kRounding);
    }
  }
  if (!trial::kSanitized) {
    EXPECT_GE(proved, 2);
  }
}

TEST(SupportPricer, BoundsByPairsSupportsThatObeyRules) {
  int proved = 0;
  for (std::uint64_t seed = 0; seed < trial::tries(2); ++seed) {
    SCOPED_TRACE(seed);
    Question question(seed);
    question.pricing.rules.barred = {question.start.back()};
    question.start.pop_back();
    while (question.start.size() < kSize) {
      Index next = 0;
      while (std::count(question.start.begin(), question.start.end(), next) > 0 ||
             next == question.pricing.rules.barred.front()) {
        ++next;
      }
      question.start.insert(std::lower_bound(question.start.begin(), question.start.end(), next),
                            next);
      question.pricing.rules.required = {next};
    }
    const double best = question.net(question.start);
    question.pricing.target = best;
    SupportPricer pricer(question.matrix, {}, kSize);
    Budget budget;
    const PricedOptimum optimum = pricer.maximise(question.pricing, question.start, 1, budget);
    EXPECT_GE(optimum.bound, question.net(optimum.support) - kRounding);
    EXPECT_GE(checked(pricer, question.pricing, optimum.proof), best - kRounding);
    proved += optimum.proof.by_pairs != nullptr ? 1 : 0;
  }
  EXPECT_GE(proved, 1);
}

}  // namespace
}  // namespace spca::support_pricer_test

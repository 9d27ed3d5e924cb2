/// Compares the supports that are worth enough beyond their prices, and the best disjoint ones
/// among them, with enumeration of all supports.

#include "spca/methods/packing/enumerated_packing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "spca/dense/dense_decompositions.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/packing/disjoint_proof.h"
#include "tests/disjoint_case.h"
#include "tests/pricing_question.h"

namespace spca::enumerated_packing_test {
namespace {

const auto kAlways = [] { return true; };

TEST(EnumeratedSupports, AreAllThatExceedTheTarget) {
  std::size_t found = 0;
  int cut = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    trial::PricingQuestion question(seed, 0);
    Random random(seed + 77);
    question.pricing.target = std::max(0.0, question.optimum) * (0.5 + 0.6 * random.uniform());
    SupportPricer pricer(question.matrix, {}, question.k);
    Budget budget;
    const EnumeratedSupports all =
        pricer.enumerate(question.pricing, question.k, 1, 10'000, budget);
    ASSERT_TRUE(all.is_complete);
    EXPECT_EQ(all.others, question.pricing.target);
    std::vector<Support> expected;
    for (const Support& support : question.allowed) {
      if (question.net(support) > question.pricing.target + question.rounding()) {
        expected.push_back(support);
      }
    }
    for (const Support& support : expected) {
      EXPECT_TRUE(std::any_of(all.supports.begin(), all.supports.end(),
                              [&](const PricedSupport& one) { return one.support == support; }));
    }
    EXPECT_GE(all.bound, std::max(question.optimum, 0.0) - question.rounding());
    found += expected.size();
    Budget again;
    cut += pricer.enumerate(question.pricing, question.k, 1, 0, again).is_complete ? 0 : 1;
  }
  EXPECT_GT(cut, 0);  // there are more than the limit of 0
  EXPECT_GT(found, 500);
}

/// Returns the largest sum of worths of disjoint supports with these cardinalities from place `j`
/// on. `may` says which supports are allowed: all, or the known ones.
double best_disjoint(const Matrix& matrix, const std::vector<Index>& cardinality, std::size_t j,
                     std::vector<char>& is_used, const std::function<bool(const Support&)>& may) {
  if (j == cardinality.size()) {
    return 0;
  }
  double best = best_disjoint(matrix, cardinality, j + 1, is_used, may);  // none for this place
  trial::for_each_support(matrix.rows(), cardinality[j], [&](const Support& support) {
    const bool fits = std::none_of(support.begin(), support.end(), [&](Index i) {
      return is_used[static_cast<std::size_t>(i)] != 0;
    });
    if (fits && may(support)) {
      for (const Index i : support) {
        is_used[static_cast<std::size_t>(i)] = 1;
      }
      const double worth = symmetric_eigenvalues(principal_submatrix(matrix, support)).tail(1)[0];
      best = std::max(best, worth + best_disjoint(matrix, cardinality, j + 1, is_used, may));
      for (const Index i : support) {
        is_used[static_cast<std::size_t>(i)] = 0;
      }
    }
  });
  return best;
}

TEST(EnumeratedPacking, HasTheBestOfThoseEnumeratedAndBoundsAllOthers) {
  int closed = 0;
  for (int seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE(seed);
    const trial::DisjointCase drawn = trial::random_disjoint_case(seed, {.fewest_variables = 5,
                                                                         .most_variables = 8,
                                                                         .most_components = 3,
                                                                         .largest_cardinality = 3});
    const Index p = drawn.matrix.rows();
    Random random(static_cast<std::uint64_t>(seed) + 300);
    EnumeratedProblem problem{.prices = Vector::Zero(p), .counts = counts_of(drawn.cardinality)};
    for (double& price : problem.prices) {
      price = 0.3 * drawn.matrix.diagonal().maxCoeff() * random.uniform();
    }
    std::map<Index, double> targets;
    SupportPricer pricer(drawn.matrix, {}, 3);
    for (const auto& [k, count] : problem.counts) {
      targets[k] = 0.4 * drawn.matrix.diagonal().maxCoeff() * random.uniform();
      Budget budget;
      problem.supports[k] = pricer.enumerate({.prices = problem.prices, .target = targets[k]}, k,
                                             count, 10'000, budget);
      ASSERT_TRUE(problem.supports[k].is_complete);
    }
    const double rounding = 1e-8 * (1 + drawn.matrix.trace());
    std::vector<char> is_used(static_cast<std::size_t>(p), 0);
    const double optimum = best_disjoint(drawn.matrix, drawn.cardinality, 0, is_used,
                                         [](const Support&) { return true; });
    const double within =
        best_disjoint(drawn.matrix, drawn.cardinality, 0, is_used, [&](const Support& support) {
          return priced_support(drawn.matrix, problem.prices, support).net >
                 targets.at(std::ssize(support));
        });
    const EnumeratedOptimum answer = solve_enumerated(problem, 0, kAlways);
    EXPECT_NEAR(answer.within, within, rounding);
    EXPECT_NEAR(answer.value, within, rounding);
    EXPECT_GE(answer.bound(), optimum - rounding);
    closed += answer.bound() < optimum + rounding ? 1 : 0;
    // If it is stopped at once, its bound still holds.
    EXPECT_GE(solve_enumerated(problem, 0, [] { return false; }).bound(), optimum - rounding);
  }
  EXPECT_GT(closed, 0);
  EXPECT_LT(closed, 80);
}

}  // namespace
}  // namespace spca::enumerated_packing_test

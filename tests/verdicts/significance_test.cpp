#include "harness/comparisons/significance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/comparisons/paired_comparison.h"

namespace spca::significance_test {
namespace {

// Rounding of lgamma for arguments up to a few thousand.
constexpr double kTailTolerance = 1e-11;

TEST(BinomialTail, IsTheSumOfBinomialCoefficientsOverPowersOfTwo) {
  EXPECT_NEAR(binomial_upper_tail(5, 5), 1.0 / 32, kTailTolerance);
  EXPECT_NEAR(binomial_upper_tail(10, 8), 56.0 / 1024, kTailTolerance);
  EXPECT_NEAR(binomial_upper_tail(10, 9), 11.0 / 1024, kTailTolerance);
  EXPECT_NEAR(binomial_upper_tail(20, 15), 21700.0 / 1048576, kTailTolerance);
  EXPECT_EQ(binomial_upper_tail(7, 0), 1);
  EXPECT_EQ(binomial_upper_tail(3, 4), 0);
}

TEST(BinomialTail, HoldsForMoreTrialsThanADoubleHasPowersOfTwo) {
  // By symmetry the upper half of an odd number of trials has probability 1/2.
  EXPECT_NEAR(binomial_upper_tail(4999, 2500), 0.5, 1e-9);
}

TEST(SignTest, CountsOnlyPairsThatDiffer) {
  EXPECT_NEAR(sign_test(8, 2), 56.0 / 1024, kTailTolerance);
  EXPECT_TRUE(std::isnan(sign_test(0, 0)));
}

TEST(SignTest, CanRejectFromTheFewestPairsOn) {
  EXPECT_LE(sign_test(kFewestPairs, 0), kSignificance);
  EXPECT_GT(sign_test(kFewestPairs - 1, 0), kSignificance);
}

TEST(StudentHalfWidth, IsTheTabulatedQuantile) {
  // Quantiles of probability 0.995, as statistical tables print them.
  EXPECT_NEAR(student_half_width(1), 63.657, 5e-4);
  EXPECT_NEAR(student_half_width(2), 9.925, 5e-4);
  EXPECT_NEAR(student_half_width(3), 5.841, 5e-4);
  EXPECT_NEAR(student_half_width(4), 4.604, 5e-4);
  EXPECT_NEAR(student_half_width(19), 2.861, 5e-4);
  EXPECT_NEAR(student_half_width(20), 2.845, 5e-4);
  EXPECT_NEAR(student_half_width(120), 2.617, 5e-4);
  EXPECT_NEAR(student_half_width(100000), 2.576, 5e-4);
}

TEST(BootstrapMean, CoversTheMeanAndNothingElseOfEqualValues) {
  const Interval equal = bootstrap_mean({2, 2, 2}, 0.95);
  EXPECT_EQ(equal.low, 2);
  EXPECT_EQ(equal.high, 2);
  std::vector<double> values;
  values.reserve(100);
  for (int i = 0; i < 100; ++i) {
    values.push_back(i % 2);  // mean 1/2, standard error 1/20
  }
  const Interval interval = bootstrap_mean(values, 0.95);
  // 0.5 -+ 1.96 / 20 = [0.402, 0.598]; the interval's ends are multiples of 1/100, and 2000
  // resamples place them within two of these.
  EXPECT_NEAR(interval.low, 0.402, 0.025);
  EXPECT_NEAR(interval.high, 0.598, 0.025);
}

TEST(BootstrapMean, GivesTheSameIntervalForTheSameValues) {
  const std::vector<double> values = {1, 5, 2, 9, 3};
  EXPECT_EQ(bootstrap_mean(values, 0.95).low, bootstrap_mean(values, 0.95).low);
  EXPECT_LT(bootstrap_mean(values, 0.95).low, bootstrap_mean(values, 0.95).high);
}

const GateRule kHigher{Direction::kHigherIsBetter, 0, 1e-6, Gate::kHard};
const GateRule kLower{Direction::kLowerIsBetter, 2, 0.05, Gate::kHard};
const GateRule kEqual{Direction::kNone, 0, 0, Gate::kHard};

Verdict verdict(const std::vector<double>& ours, const std::vector<double>& reference,
                const GateRule& rule, bool is_machine = false) {
  return compare_pairs(ours, reference, rule, is_machine).verdict;
}

TEST(PairedComparison, JudgesOneRepeatByTheToleranceAlone) {
  EXPECT_EQ(verdict({1.0000005}, {1}, kHigher), Verdict::kMatch);
  EXPECT_EQ(verdict({0.99}, {1}, kHigher), Verdict::kWorse);
  EXPECT_EQ(verdict({1.01}, {1}, kHigher), Verdict::kBetter);
  EXPECT_EQ(verdict({12}, {10}, kLower), Verdict::kMatch);
  EXPECT_EQ(verdict({13}, {10}, kLower), Verdict::kWorse);
  EXPECT_EQ(verdict({104}, {100}, kLower), Verdict::kMatch);
  EXPECT_EQ(verdict({5}, {4}, kEqual), Verdict::kWorse);
  EXPECT_EQ(verdict({3}, {4}, kEqual), Verdict::kWorse);
  EXPECT_EQ(verdict({4}, {4}, kEqual), Verdict::kMatch);
}

TEST(PairedComparison, OfAMetricWithoutDirectionLetsNoTwoChangesCancel) {
  EXPECT_EQ(verdict({5, 3}, {4, 4}, kEqual), Verdict::kWorse);
}

TEST(PairedComparison, LetsTheMeanDecideWhereTheSignTestCouldNot) {
  EXPECT_EQ(verdict({1, 1, 0, 1, 1}, {1, 1, 1, 1, 1}, kHigher), Verdict::kWorse);
  EXPECT_EQ(verdict({0, 0, 1}, {1, 1, 0}, kHigher), Verdict::kWorse);
}

TEST(PairedComparison, TakesLuckForLuck) {
  // Four worse and three better: a mean below the reference, but a coin does that every other time.
  const PairedComparison mixed =
      compare_pairs({0, 0, 0, 0, 1, 1, 1, 1}, {1, 1, 1, 1, 0, 0, 0, 1}, kHigher, false);
  EXPECT_EQ(mixed.verdict, Verdict::kMatch);
  EXPECT_EQ(mixed.worse, 4U);
  EXPECT_EQ(mixed.better, 3U);
  EXPECT_NEAR(mixed.p_value, 0.5, kTailTolerance);
  EXPECT_NE(mixed.reason.find("chance"), std::string::npos);
  EXPECT_EQ(verdict({0, 0, 0, 0, 0, 0, 0, 1}, {1, 1, 1, 1, 1, 1, 1, 1}, kHigher), Verdict::kWorse);
}

TEST(PairedComparison, TakesANoisyTimeForTheSameAndASlowOneForSlower) {
  const GateRule rule{Direction::kLowerIsBetter, 0.01, 0.1, Gate::kSameMachineOnly};
  EXPECT_EQ(verdict({2, 2.1, 1.9, 2, 2.2}, {1, 1, 1.1, 0.9, 1}, rule, true), Verdict::kWorse);
  EXPECT_EQ(verdict({1, 1, 1, 1, 3}, {1, 1, 1, 1, 1}, rule, true), Verdict::kMatch);
  EXPECT_EQ(verdict({0.4, 0.5, 0.5, 0.4, 0.5}, {1, 1, 1, 1, 1}, rule, true), Verdict::kBetter);
  EXPECT_EQ(verdict({2}, {1}, rule, true), Verdict::kWorse);
}

TEST(PairedComparison, IsNotComparableWithoutANumberOnBothSides) {
  const double none = std::nan("");
  for (const auto& [ours, reference, words] :
       {std::tuple<std::vector<double>, std::vector<double>, std::string>{{}, {}, "no repeat"},
        {{none}, {1}, "this run"},
        {{1}, {none}, "the reference"},
        {{1, 1}, {1, std::numeric_limits<double>::infinity()}, "the reference"},
        {{0}, {0}, "relative only"}}) {
    const PairedComparison result = compare_pairs(ours, reference, kHigher, false);
    EXPECT_EQ(result.verdict, Verdict::kNotComparable) << words;
    EXPECT_NE(result.reason.find(words), std::string::npos) << result.reason;
  }
  // An absolute tolerance, or none at all, gives a reference of 0 a meaning.
  EXPECT_EQ(verdict({1}, {0}, kLower), Verdict::kMatch);
  EXPECT_EQ(verdict({0}, {0}, kEqual), Verdict::kMatch);
}

}  // namespace
}  // namespace spca::significance_test

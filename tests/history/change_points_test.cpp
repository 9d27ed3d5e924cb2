/// Tests of changes of level in a noisy series, and of how often changes are reported in a series
/// without any.

#include "harness/history/change_points.h"

#include <gtest/gtest.h>

#include <cmath>

#include "spca/base/random.h"

namespace spca::change_points_test {
namespace {

/// Returns noise with the tail of logarithms of times: one run in ten takes half as long again.
std::vector<double> noise(std::size_t count, Random& random) {
  std::vector<double> series;
  for (std::size_t i = 0; i < count; ++i) {
    series.push_back(0.05 * random.normal() + (random.below(10) == 0 ? 0.4 : 0));
  }
  return series;
}

TEST(ChangePoints, FindWhereALevelBeginsAndHowManyThereAre) {
  Random random(1);
  std::vector<double> series = noise(36, random);
  for (std::size_t i = 12; i < 24; ++i) {
    series[i] += 1;
  }
  const std::vector<ChangePoint> found = change_points(series, 0.01);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].first, 12U);
  EXPECT_EQ(found[1].first, 24U);
  EXPECT_LE(found[0].p_value, 0.01);
}

TEST(ChangePoints, GiveTheSameAnswerForTheSameSeries) {
  Random random(2);
  const std::vector<double> series = noise(20, random);
  EXPECT_EQ(most_different_part(series).p_value, most_different_part(series).p_value);
}

/// Checks the guarantee of the test for any distribution: P(p <= a) <= a. Of 1000 series, 5 % plus
/// four standard errors may have a p of at most 5 %.
TEST(ChangePoints, CallOneInTwentySeriesOfNoiseChangedAtMost) {
  constexpr int kSeries = 1000;
  constexpr double kRate = 0.05;
  Random random(3);
  int below = 0;
  for (int i = 0; i < kSeries; ++i) {
    below += most_different_part(noise(16, random)).p_value <= kRate ? 1 : 0;
  }
  const double error = std::sqrt(kRate * (1 - kRate) / kSeries);
  EXPECT_LE(below, kSeries * (kRate + 4 * error));
  EXPECT_GE(below, kSeries * kRate / 4);  // the test does report changes
}

TEST(ChangePoints, OneRunThatDiffersIsNoLevel) {
  Random random(4);
  std::vector<double> series;
  for (int i = 0; i < 20; ++i) {
    series.push_back(0.05 * random.normal());
  }
  series.back() = 5;
  EXPECT_GT(most_different_part(series).p_value, 0.01);
  EXPECT_TRUE(change_points(series, 0.01).empty());
}

TEST(ChangePoints, AreNoneInWhatIsShortOrConstant) {
  EXPECT_EQ(most_different_part({1, 2, 3}).p_value, 1);
  EXPECT_EQ(most_different_part({}).p_value, 1);
  EXPECT_EQ(most_different_part(std::vector<double>(30, 0.1)).p_value, 1);
  EXPECT_TRUE(change_points({1, 1, 1, 9, 9, 9}, 0).empty());
}

TEST(ChangePoints, ALevelOfEqualNumbersBesideAnotherIsFound) {
  std::vector<double> series(10, 1.0);
  series.resize(20, 2.0);
  EXPECT_EQ(most_different_part(series).first, 10U);
  EXPECT_EQ(most_different_part(series).end, 20U);
  EXPECT_LT(most_different_part(series).p_value, 0.001);
}

/// The example of Benjamini and Hochberg, 1995, section 3.2: four of the fifteen are significant.
TEST(LargestPValue, IsThatOfBenjaminiAndHochberg) {
  const std::vector<double> example = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201,
                                       0.0278, 0.0298, 0.0344, 0.0459, 0.3240,
                                       0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  EXPECT_EQ(largest_p_value(example, 0.05), 0.0095);
  EXPECT_EQ(largest_p_value({0.2, 0.9}, 0.05), 0);
  EXPECT_EQ(largest_p_value({}, 0.05), 0);
}

}  // namespace
}  // namespace spca::change_points_test

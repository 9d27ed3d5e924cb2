/// The normal numbers that every generator and random start draws.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "spca/base/random.h"

namespace spca::normal_test {
namespace {

constexpr int kDraws = 4'000'000;
/// Six standard errors of a frequency or a moment: a comparison exceeds them with probability 2e-9.
constexpr double kStandardErrors = 6;

TEST(Normal, HasTheDistributionFunctionOfTheNormalIncludingItsTails) {
  Random random(1);
  std::vector<double> points;
  for (int quarters = -18; quarters <= 18; ++quarters) {
    points.push_back(0.25 * quarters);
  }
  // The beginning of the tail, and points near the edges of the last and the second layer: there a
  // wrong table would show first.
  points.insert(points.end(), {-3.6541528853610088, 3.6541528853610088, 0.215, 3.4426});
  std::vector<int> below(points.size(), 0);
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    for (std::size_t j = 0; j < points.size(); ++j) {
      below[j] += x < points[j];
    }
  }
  for (std::size_t j = 0; j < points.size(); ++j) {
    const double expected = 0.5 * std::erfc(-points[j] / std::sqrt(2.0));
    const double error = std::sqrt(expected * (1 - expected) / kDraws);
    EXPECT_NEAR(static_cast<double>(below[j]) / kDraws, expected, kStandardErrors * error)
        << "at " << points[j];
  }
}

TEST(Normal, HasTheMomentsOfTheNormalAndIndependentNeighbours) {
  Random random(2);
  double sums[4] = {0, 0, 0, 0};
  double product = 0;
  double previous = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    sums[0] += x;
    sums[1] += x * x;
    sums[2] += x * x * x;
    sums[3] += x * x * x * x;
    product += std::abs(x) * previous;
    previous = std::abs(x);
  }
  const double error = kStandardErrors / std::sqrt(static_cast<double>(kDraws));
  EXPECT_NEAR(sums[0] / kDraws, 0, error);
  EXPECT_NEAR(sums[1] / kDraws, 1, std::sqrt(2.0) * error);
  EXPECT_NEAR(sums[2] / kDraws, 0, std::sqrt(15.0) * error);
  EXPECT_NEAR(sums[3] / kDraws, 3, std::sqrt(96.0) * error);
  EXPECT_NEAR(product / kDraws, 2 / std::numbers::pi, error);  // E|x| = sqrt(2 / pi)
}

TEST(Normal, GivesTheSameNumbersForTheSameSeed) {
  Random a(3);
  Random b(3);
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_EQ(a.normal(), b.normal());
  }
}

}  // namespace
}  // namespace spca::normal_test

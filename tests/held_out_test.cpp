/// The cross-validated error of a linear classifier on scores.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "spca/held_out.h"
#include "tests/encoder_testing.h"

namespace spca {
namespace {

using namespace trial;

TEST(HeldOutError, FoldsShareOutEveryClassAndDependOnTheSeedAlone) {
  std::vector<int> labels(47, 3);
  std::fill(labels.begin() + 20, labels.end(), -1);
  const std::vector<int> folds = stratified_folds(labels, 10, 5);
  EXPECT_EQ(folds, stratified_folds(labels, 10, 5));
  EXPECT_NE(folds, stratified_folds(labels, 10, 6));
  for (int fold = 0; fold < 10; ++fold) {
    int first = 0;
    int second = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      (labels[i] == 3 ? first : second) += folds[i] == fold ? 1 : 0;
    }
    EXPECT_EQ(first, 2);
    EXPECT_TRUE(second == 2 || second == 3);
  }
}

TEST(HeldOutError, IsZeroForSeparableHalfForNoiseAndForgetsScale) {
  if (!has_linear_classifier()) {
    GTEST_SKIP() << "built without LIBLINEAR";
  }
  constexpr Index kSamples = 400;
  std::vector<int> labels;
  Matrix features = random_samples(kSamples, 2, 16);
  for (Index i = 0; i < kSamples; ++i) {
    labels.push_back(i % 2 == 0 ? 7 : 9);
  }
  const HeldOutError noise = held_out_error(features, labels, 1);
  EXPECT_NEAR(noise.mean, 0.5, 4 * 0.5 / std::sqrt(400.0));  // four standard errors
  EXPECT_GT(noise.standard_error, 0);
  for (Index i = 0; i < kSamples; ++i) {
    features(i, 1) += i % 2 == 0 ? 40 : -40;
  }
  EXPECT_EQ(held_out_error(features, labels, 1).mean, 0);
  EXPECT_EQ(held_out_error(1e-7 * features, labels, 1).mean, 0);
  const std::vector<int> one_class(kSamples, 1);
  EXPECT_TRUE(std::isnan(held_out_error(features, one_class, 1).mean));
}

TEST(HeldOutError, IsMeasuredOnTheScoresWhereSamplesHaveLabels) {
  if (!has_linear_classifier()) {
    GTEST_SKIP() << "built without LIBLINEAR";
  }
  Matrix x = random_samples(60, 6, 17);
  std::vector<int> labels;
  for (Index i = 0; i < 60; ++i) {
    labels.push_back(static_cast<int>(i % 3));
    x(i, 4) += 50 * static_cast<double>(i % 3);
  }
  const std::vector<Component> components = {{.support = {4}, .values = Vector::Ones(1)}};
  const auto s = make_covariance(x, {});
  EXPECT_LT(measure_one("held_out_error", *s, components, {.labels = &labels}), 0.5);
  EXPECT_GE(measure_one("held_out_error_se", *s, components, {.labels = &labels}), 0);
  EXPECT_TRUE(std::isnan(measure_one("held_out_error", *s, components)));
  EXPECT_TRUE(std::isnan(measure_one("held_out_error", *make_explicit_covariance(x.transpose() * x),
                                     components, {.labels = &labels})));
}

}  // namespace
}  // namespace spca

/// Tests of the cross-validated error of support vector machines, linear or Gaussian, on scores and
/// on all variables.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/measure/classification/held_out.h"
#include "tests/encoder_testing.h"

namespace spca::held_out_test {
namespace {

using namespace trial;

std::vector<Component> all_variables(Index p) {
  std::vector<Component> components;
  for (Index j = 0; j < p; ++j) {
    components.push_back({.support = {j}, .values = Vector::Ones(1)});
  }
  return components;
}

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

/// The features carry no information: the machine assigns all samples to the larger class, and errs
/// on the smaller class alone.
TEST(HeldOutError, OfTheLargerClassAloneIsHalfWhereItIsBalanced) {
  if (!has_linear_classifier()) {
    GTEST_SKIP() << "built without LIBLINEAR";
  }
  std::vector<int> labels(200, -1);
  std::fill(labels.begin(), labels.begin() + 20, 1);
  const HeldOutError nothing = held_out_error(Matrix::Ones(200, 2), labels, 1);
  EXPECT_NEAR(nothing.mean, 0.1, 1e-12);
  EXPECT_NEAR(nothing.balanced, 0.5, 1e-12);
  Matrix all(200, 1);
  for (Index i = 0; i < 200; ++i) {
    all(i, 0) = labels[static_cast<std::size_t>(i)];
  }
  EXPECT_EQ(held_out_error(all, labels, 1).balanced, 0);
}

/// The classes lie on a circle and on a larger circle around it, so no line separates them.
TEST(HeldOutError, OfAGaussianKernelIsSmallWhereNoLineSeparates) {
  constexpr Machine kGaussian{.kernel = Machine::Kernel::kGaussian};
  if (!has_linear_classifier() || !has_classifier(kGaussian.kernel)) {
    GTEST_SKIP() << "built without LIBLINEAR or LIBSVM";
  }
  Matrix features = random_samples(200, 2, 20);
  std::vector<int> labels;
  for (Index i = 0; i < features.rows(); ++i) {
    labels.push_back(static_cast<int>(i % 2));
    features.row(i) *= (i % 2 == 0 ? 1 : 4) / features.row(i).norm();
  }
  EXPECT_EQ(held_out_error(features, labels, 1, kGaussian).mean, 0);
  EXPECT_GT(held_out_error(features, labels, 1).mean, 0.2);
}

/// A machine with the hinge loss separates the classes. On tiny features it assigns all samples to
/// the larger class.
TEST(HeldOutError, OfHingeLossIsThatOfALinearMachine) {
  constexpr Machine kHinge{.kernel = Machine::Kernel::kHinge, .cost = 0.01, .scaled = false};
  if (!has_classifier(kHinge.kernel)) {
    GTEST_SKIP() << "built without LIBSVM";
  }
  Matrix features = random_samples(400, 2, 24);
  std::vector<int> labels(400, 0);
  std::fill(labels.begin(), labels.begin() + 100, 1);
  features.topRows(100).col(1).array() += 40;
  EXPECT_EQ(held_out_error(features, labels, 1, kHinge).mean, 0);
  EXPECT_NEAR(held_out_error(1e-7 * features, labels, 1, kHinge).mean, 0.25, 1e-12);
  const auto s = make_covariance(features, {.centered = false});
  EXPECT_EQ(measure_one("held_out_error_unscaled_hinge", *s, all_variables(2), {.labels = &labels}),
            0);
}

/// With equal costs, a machine prefers the larger of two overlapping classes.
TEST(HeldOutError, OfBalancedCostsMissesFewerOfTheSmallerClass) {
  Machine machine{.kernel = Machine::Kernel::kGaussian};
  if (!has_classifier(machine.kernel)) {
    GTEST_SKIP() << "built without LIBSVM";
  }
  Matrix features = random_samples(300, 2, 21);
  std::vector<int> labels(300, 0);
  std::fill(labels.begin(), labels.begin() + 30, 1);
  features.topRows(30).array() += 1;
  const double equal = held_out_error(features, labels, 1, machine).balanced;
  machine.balanced = true;
  EXPECT_LT(held_out_error(features, labels, 1, machine).balanced, equal);
}

/// Tiny features leave the machine only its bias, which assigns all samples to the larger class.
TEST(HeldOutError, OfUnscaledFeaturesDependsOnTheirScale) {
  if (!has_linear_classifier()) {
    GTEST_SKIP() << "built without LIBLINEAR";
  }
  Matrix features = random_samples(400, 2, 22);
  std::vector<int> labels(400, 0);
  std::fill(labels.begin(), labels.begin() + 100, 1);
  features.topRows(100).col(1).array() += 40;
  const Machine unscaled{.cost = 0.01, .scaled = false};
  EXPECT_EQ(held_out_error(features, labels, 1, unscaled).mean, 0);
  EXPECT_NEAR(held_out_error(1e-7 * features, labels, 1, unscaled).mean, 0.25, 1e-12);
  EXPECT_EQ(held_out_error(1e-7 * features, labels, 1, {.cost = 0.01}).mean, 0);

  features.col(1) *= 0.02;  // of a scale at which the division by sqrt(n) changes the answer
  const double expected = held_out_error(features, labels, 0, unscaled).mean;
  EXPECT_LT(expected, held_out_error(features / 20, labels, 0, unscaled).mean);
  for (const Scale scale : {Scale::kSamples, Scale::kNone}) {
    const auto s = make_covariance(features, {.centered = false, .scale = scale});
    EXPECT_EQ(measure_one("held_out_error_unscaled", *s, all_variables(2), {.labels = &labels}),
              expected);
  }
}

/// If no two samples are near, only the bias of a Gaussian machine decides. It assigns all samples
/// to the class with more samples outside the fold. If the folds are random, it therefore errs on
/// more than half of the samples of two equal classes.
TEST(HeldOutError, OfRandomFoldsExceedsHalfWhereOnlyTheBiasDecides) {
  Machine machine{.kernel = Machine::Kernel::kGaussian};
  if (!has_classifier(machine.kernel)) {
    GTEST_SKIP() << "built without LIBSVM";
  }
  const Matrix features = random_samples(200, 150, 23);
  std::vector<int> labels;
  for (Index i = 0; i < features.rows(); ++i) {
    labels.push_back(static_cast<int>(i % 2));
  }
  const double stratified = held_out_error(features, labels, 1, machine).mean;
  machine.stratified = false;
  const double random = held_out_error(features, labels, 1, machine).mean;
  EXPECT_GT(random, 0.5);
  EXPECT_LT(stratified, random);
  const auto s = make_covariance(features, {});
  EXPECT_EQ(measure_one("held_out_error_gaussian_of_all_variables_unstratified", *s,
                        all_variables(1), {.labels = &labels, .seed = 1}),
            random);
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

TEST(HeldOutError, OfAllVariablesIsThatOfTheScoresOfEach) {
  if (!has_linear_classifier()) {
    GTEST_SKIP() << "built without LIBLINEAR";
  }
  const Matrix x = random_samples(90, 5, 18);
  std::vector<int> labels;
  for (Index i = 0; i < 90; ++i) {
    labels.push_back(x(i, 0) + 0.5 * x(i, 2) * x(i, 3) > 0 ? 1 : 2);
  }
  const auto s = make_covariance(x, {});
  const Beside beside{.labels = &labels, .seed = 4};
  // The two computations have different tolerances, so that one sample may be assigned differently.
  constexpr double kOneSample = 1.5 / 90;
  const std::vector<Component> any = {{.support = {1}, .values = Vector::Ones(1)}};
  const double error = measure_one("held_out_error_of_all_variables", *s, any, beside);
  EXPECT_NEAR(error, measure_one("held_out_error", *s, all_variables(5), beside), kOneSample);
  EXPECT_GT(error, 0);
  EXPECT_EQ(error, held_out_error(*s, labels, 4).mean);
  EXPECT_EQ(measure_one("held_out_error_of_all_variables_se", *s, any, beside),
            held_out_error(*s, labels, 4).standard_error);
  const auto other = make_covariance(2 * x.rowwise().reverse() + x, {});
  EXPECT_EQ(measure_one("held_out_error_of_all_variables", *other, any, beside),
            held_out_error(*other, labels, 4).mean);
}

/// The error does not depend on how the data are stored or shifted. As in texts, most counts of
/// words are zero.
TEST(HeldOutError, OfAllVariablesIsThatOfSparseDataWithoutMakingThemDense) {
  if (!has_linear_classifier()) {
    GTEST_SKIP() << "built without LIBLINEAR";
  }
  Random random(19);
  Matrix counts = Matrix::Zero(120, 30);
  std::vector<int> labels;
  for (Index i = 0; i < counts.rows(); ++i) {
    labels.push_back(static_cast<int>(i % 2));
    for (Index j = 0; j < counts.cols(); ++j) {
      const double share = j < 6 && i % 2 == 0 ? 0.3 : 0.15;
      counts(i, j) = random.uniform() < share ? 1 + static_cast<double>(random.below(3)) : 0;
    }
  }
  const SparseRows sparse = counts.sparseView();
  const Matrix shifted = counts.array() + 8;
  const double expected = held_out_error(*make_covariance(counts, {}), labels, 6).mean;
  EXPECT_GT(expected, 0);
  EXPECT_LT(expected, 0.45);
  for (const bool centred : {true, false}) {
    const DataForm form{.centered = centred, .scale = Scale::kNone};
    EXPECT_EQ(held_out_error(*make_covariance(sparse, form), labels, 6).mean, expected);
    EXPECT_EQ(held_out_error(*make_covariance(shifted, form), labels, 6).mean, expected);
  }
}

}  // namespace
}  // namespace spca::held_out_test

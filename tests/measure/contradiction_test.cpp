/// Tests that no value may be above a proved bound: the comparison alone, and the judge that
/// applies it to every answer.

#include "spca/measure/contradiction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "spca/measure/judge.h"
#include "spca/spectrum/eigenpairs.h"
#include "tests/encoder_testing.h"

namespace spca::contradiction_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Contradiction, IsAValueAboveABoundByMoreThanRounding) {
  for (const double scale : {1e-300, 1e-10, 1.0, 1e10, 1e300}) {
    EXPECT_FALSE(exceeds(scale, scale));
    EXPECT_FALSE(exceeds(scale * (1 + 0.9e-9), scale));
    EXPECT_TRUE(exceeds(scale * (1 + 1.1e-9), scale));
    EXPECT_FALSE(exceeds(0.5 * scale, scale));
    EXPECT_TRUE(exceeds(scale, 0));
    EXPECT_TRUE(exceeds(scale, -scale));
  }
  EXPECT_FALSE(exceeds(0, 0));
  EXPECT_FALSE(exceeds(kNotMeasured, 1));
  EXPECT_FALSE(exceeds(1, kNotMeasured));
  EXPECT_FALSE(exceeds(1, kInfinity));
}

TEST(Contradiction, ABoundIsRaisedByRoundingAlone) {
  const double below = std::nextafter(1.0, 0.0);
  EXPECT_EQ(raised_by_rounding(below, 1), 1);
  EXPECT_EQ(raised_by_rounding(1, below), 1);
  EXPECT_EQ(raised_by_rounding(1 - 0.9e-9, 1), 1);
  EXPECT_EQ(raised_by_rounding(0.9, 1), 0.9) << "one of the two is wrong";
  EXPECT_EQ(raised_by_rounding(std::nextafter(-1.0, -2.0), -1), -1);
  EXPECT_EQ(raised_by_rounding(1, kNotMeasured), 1);
  EXPECT_TRUE(std::isnan(raised_by_rounding(kNotMeasured, 1)));
  EXPECT_EQ(raised_by_rounding(kInfinity, 1), kInfinity);
}

TEST(Contradiction, HasNoGap) {
  EXPECT_DOUBLE_EQ(relative_gap(4, 3), 0.25);
  EXPECT_EQ(relative_gap(4, 4), 0);
  EXPECT_EQ(relative_gap(4, 4 * (1 + 1e-10)), 0);
  EXPECT_EQ(relative_gap(4, 4 * (1 - 1e-13)), 0);
  EXPECT_TRUE(std::isnan(relative_gap(4, 4 * (1 + 1e-8))));
  EXPECT_TRUE(std::isnan(relative_gap(3.22895, 20.0895)));
  EXPECT_TRUE(std::isnan(relative_gap(kNotMeasured, 1)));
  EXPECT_EQ(relative_gap(0, 0), 0) << "of S = 0";
  EXPECT_TRUE(std::isnan(relative_gap(-1, -2))) << "no share of a negative bound";
}

TEST(Contradiction, IsOneLineWithBothNumbersAndTheirSources) {
  EXPECT_EQ(
      find_contradiction({20.0895, "what tpower found"}, {3.22895, "the bound of em"}),
      "contradiction: 20.0895 (what tpower found) is above the upper bound 3.22895 (the bound "
      "of em): one of the two is wrong; it is not known which");
  // The message has enough digits to distinguish the two numbers.
  const std::string near = find_contradiction({1 + 1e-8, "a"}, {1, "b"});
  EXPECT_NE(near.find("1.00000001 (a)"), std::string::npos) << near;
  EXPECT_EQ(find_contradiction({1, "a"}, {1, "b"}), "");
  EXPECT_EQ(find_contradiction({{1, "a"}, {3, "b"}}, {{4, "c"}, {2, "d"}}).substr(0, 18),
            "contradiction: 3 (");
}

struct Case {
  Dataset data;
  std::vector<Component> components;
  std::vector<Index> cardinality;
};

Judgement judge_with_bound(const Case& given, double bound,
                           const std::vector<std::string>& metrics = {"gap"}) {
  SolverEntry solver;
  solver.name = "some";
  Solution solution;
  solution.status = Status::kConverged;
  solution.components = given.components;
  const Json options = Json::object();
  return judge({.solver = solver,
                .options = options,
                .solution = std::move(solution),
                .components = std::ssize(given.components),
                .cardinality = given.cardinality,
                .upper_bound = bound,
                .bound_source = "a test"},
               given.data, Spectrum(*given.data.covariance), metrics);
}

Case random_case(std::uint64_t seed, const std::vector<Support>& supports) {
  Case made{.data = {.covariance = trial::as_covariance(trial::random_samples(20, 8, seed)),
                     .variable_names = {},
                     .truth = {}},
            .components = {},
            .cardinality = {}};
  for (const Support& support : supports) {
    made.components.push_back(best_on_support(*made.data.covariance, support).component);
    made.cardinality.push_back(std::ssize(support));
  }
  return made;
}

TEST(Contradiction, IsALawOfEveryAnswer) {
  const Case one = random_case(3, {{0, 1, 2}});
  const double value = one.data.covariance->quadratic_form(one.components[0]);
  const double largest = one.data.covariance->diagonal().maxCoeff();
  const double high = 2 * std::max(value, largest);
  EXPECT_EQ(judge_with_bound(one, high).wrong, "");
  EXPECT_EQ(judge_with_bound(one, kNotMeasured).wrong, "");
  const Judgement wrong = judge_with_bound(one, 0.99 * value);
  EXPECT_TRUE(wrong.wrong.starts_with("contradiction: ")) << wrong.wrong;
  EXPECT_NE(wrong.wrong.find("(a test)"), std::string::npos) << wrong.wrong;
  EXPECT_TRUE(wrong.metrics.empty());
  EXPECT_TRUE(std::isnan(wrong.upper_bound));
}

/// The variable of least variance alone is a poor answer. The bound is above its variance, but
/// below the largest variance.
TEST(Contradiction, IsABoundBelowWhatOneVariableExplains) {
  const Case given = random_case(5, {{0, 1}});
  Case poor = given;
  Index least = 0;
  const double most = given.data.covariance->diagonal().maxCoeff();
  const double value = given.data.covariance->diagonal().minCoeff(&least);
  ASSERT_LT(value, 0.9 * most);
  poor.components = {{.support = {least}, .values = Vector::Ones(1)}};
  EXPECT_NE(judge_with_bound(poor, 0.95 * most).wrong.find("the variance of one variable"),
            std::string::npos);
}

/// The plain sum of variances of overlapping loadings may exceed every bound; the variance that
/// their span explains may not.
TEST(Contradiction, IsNotWhatOverlappingLoadingsCountTwice) {
  Case twice = random_case(7, {{0, 1, 2, 3, 4, 5, 6, 7}});
  twice.components.push_back(twice.components[0]);
  twice.cardinality.push_back(8);
  SolverEntry solver;
  solver.name = "some";
  Solution solution;
  solution.status = Status::kConverged;
  solution.components = twice.components;
  const Judgement judged = judge({.solver = solver,
                                  .options = Json::object(),
                                  .solution = std::move(solution),
                                  .components = 2,
                                  .cardinality = twice.cardinality},
                                 twice.data, Spectrum(*twice.data.covariance), {});
  EXPECT_EQ(judged.wrong, "");
  EXPECT_GT(judged.metrics.at("explained_variance").at(0), judged.upper_bound);
  EXPECT_GE(judged.metrics.at("gap").at(0), 0);
}

/// A vector whose length is off by the rounding of printed numbers is feasible, and lifts v'Sv
/// above the bound.
TEST(Contradiction, IsNotALengthThatIsOffByRounding) {
  Case given = random_case(9, {{0, 1, 2, 3, 4, 5, 6, 7}});
  const double value = given.data.covariance->quadratic_form(given.components[0]);
  given.components[0].values *= 1 + 0.9e-8;
  EXPECT_EQ(judge_with_bound(given, value, {"gap", "explained_variance_ratio"}).wrong, "");
}

}  // namespace
}  // namespace spca::contradiction_test

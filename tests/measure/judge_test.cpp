/// Tests of the judgement of an answer, above all by the laws of its solver.

#include "spca/measure/judge.h"
#include "spca/methods/encoders/linear_encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "spca/base/error.h"
#include "spca/spectrum/eigenpairs.h"
#include "tests/encoder_testing.h"

namespace spca::judge_test {
namespace {

using namespace trial;

Dataset small_dataset() {
  return {.covariance = as_covariance(random_samples(20, 8, 3)), .variable_names = {}, .truth = {}};
}

SolverEntry solver_with(std::vector<std::string> laws) {
  SolverEntry entry;
  entry.name = "lawful";
  entry.traits.laws = std::move(laws);
  return entry;
}

Judgement judge_components(const SolverEntry& solver, std::vector<Component> components,
                           const std::vector<std::string>& metrics = {}) {
  const Dataset data = small_dataset();
  const Spectrum spectrum(*data.covariance);
  const auto count = static_cast<Index>(components.size());
  Solution solution;
  solution.status = Status::kConverged;
  solution.components = std::move(components);
  return judge({.solver = solver,
                .options = Json::object(),
                .solution = std::move(solution),
                .components = count,
                .cardinality = equal(count, 3)},
               data, spectrum, metrics);
}

Component far_from_best() { return {.support = {0, 1, 2}, .values = Vector{{1, -2, 2}} / 3}; }

std::vector<Component> best_on(const Support& rows, Index r) {
  return linear_encoder(*small_dataset().covariance, rows, r).components;
}

TEST(Judge, MetricsOfEigenvaluesAreAbsentIfTheyTakeTooLong) {
  const Dataset data = small_dataset();
  const Support support = {0, 1, 2};
  Solution solution;
  solution.status = Status::kConverged;
  solution.components = {best_on_support(*data.covariance, support).component};
  const SolverEntry solver = solver_with({});
  const Json options = Json::object();
  const Answer answer{
      .solver = solver, .options = options, .solution = solution, .cardinality = {3}};
  const std::vector<std::string> metrics = {"component_variance_ratio", "explained_variance",
                                            "gap"};
  Spectrum spectrum(*data.covariance);
  const Judgement whole = judge(answer, data, spectrum, metrics);
  EXPECT_EQ(whole.note, "");
  Spectrum timed(*data.covariance);
  int begun = 0;
  timed.limit(0, [&begun] { ++begun; });
  const Judgement cut = judge(answer, data, timed, metrics);
  EXPECT_GE(begun, 1);
  EXPECT_EQ(cut.wrong, "");
  EXPECT_NE(cut.note.find("eigenvalues of S were not found within the time"), std::string::npos);
  EXPECT_EQ(cut.metrics.at("explained_variance"), whole.metrics.at("explained_variance"));
  EXPECT_TRUE(std::isnan(cut.metrics.at("component_variance_ratio").at(0)));
  EXPECT_TRUE(std::isnan(cut.metrics.at("gap").at(0)));
  EXPECT_TRUE(std::isnan(cut.upper_bound));
  // The next cell on the same data has a new time limit.
  timed.limit(std::numeric_limits<double>::infinity());
  const Judgement again = judge(answer, data, timed, metrics);
  EXPECT_EQ(again.metrics, whole.metrics);
  EXPECT_EQ(again.upper_bound, whole.upper_bound);
  EXPECT_EQ(again.note, "");
}

TEST(Judge, AnAnswerThatBreaksALawIsInvalidForAnyMetrics) {
  const SolverEntry solver = solver_with({"theorem5_slack"});
  for (const std::vector<std::string>& metrics :
       {std::vector<std::string>{}, {"explained_variance"}, {"theorem5_slack", "cardinality"}}) {
    const Judgement judgement = judge_components(solver, {far_from_best()}, metrics);
    EXPECT_TRUE(judgement.wrong.starts_with("breaks its law theorem5_slack >= 0: found -0."))
        << judgement.wrong;
    EXPECT_NE(judgement.wrong.find("||X - X_{C,r}||_F^2"), std::string::npos) << judgement.wrong;
    EXPECT_EQ(judgement.wrong.find('\n'), std::string::npos);
    EXPECT_TRUE(judgement.metrics.empty());
    EXPECT_EQ(judge_components(solver_with({}), {far_from_best()}, metrics).wrong, "");
  }
}

TEST(Judge, AnAnswerThatKeepsItsLawsIsReportedWithTheMetricsAskedFor) {
  const SolverEntry solver = solver_with({"theorem5_slack", "theorem5_slack_common_rows"});
  const Judgement judgement =
      judge_components(solver, best_on({1, 4, 6}, 2), {"row_sparsity", "information_loss"});
  EXPECT_EQ(judgement.wrong, "");
  EXPECT_EQ(judgement.metrics.size(), 2U);
  EXPECT_EQ(judgement.metrics.at("row_sparsity").at(0), 3);
}

TEST(Judge, ALawThatCannotBeMeasuredIsNotBroken) {
  const std::vector<Component> components = {far_from_best(),
                                             {.support = {4}, .values = Vector::Ones(1)}};
  EXPECT_EQ(judge_components(solver_with({"theorem5_slack_common_rows"}), components).wrong, "");
  EXPECT_NE(judge_components(solver_with({"theorem5_slack"}), components).wrong, "");
}

TEST(Judge, ALawThatIsNoMetricIsOurMistake) {
  EXPECT_THROW(judge_components(solver_with({"theorem0"}), {far_from_best()}), std::logic_error);
}

TEST(Judge, EveryLawOfARegisteredSolverIsAMetric) {
  std::size_t laws = 0;
  for (const auto& [name, solver] : SolverRegistry::instance().entries()) {
    for (const std::string& law : solver.traits.laws) {
      EXPECT_NE(MetricRegistry::instance().find(law), nullptr) << name << ": " << law;
      ++laws;
    }
  }
  EXPECT_GE(laws, 4U);  // of the encoders
}

TEST(Judge, ComponentsBeforeATimeLimitAreHeldToTheirOwnCardinalities) {
  const Dataset data = small_dataset();
  const Spectrum spectrum(*data.covariance);
  const SolverEntry solver = solver_with({});
  const auto judged = [&](Status status, std::vector<Component> components) {
    Solution solution;
    solution.status = status;
    solution.components = std::move(components);
    return judge({.solver = solver,
                  .options = Json::object(),
                  .solution = std::move(solution),
                  .components = 3,
                  .cardinality = {3, 1, 8}},
                 data, spectrum, {"cardinality", "upper_bound"});
  };
  const Component one{.support = {4}, .values = Vector::Ones(1)};
  const Judgement cut = judged(Status::kTimeLimit, {far_from_best(), one});
  EXPECT_EQ(cut.wrong, "");
  EXPECT_EQ(cut.metrics.at("cardinality"), (std::vector<double>{3, 1}));
  // A bound on two components would be none on three.
  EXPECT_TRUE(std::isnan(cut.upper_bound));
  EXPECT_EQ(judged(Status::kTimeLimit, {one, far_from_best()}).wrong,
            "component 2: 3 nonzeros, 1 allowed");
  EXPECT_EQ(judged(Status::kConverged, {far_from_best(), one}).wrong, "2 components, not 3");
  EXPECT_EQ(judged(Status::kTimeLimit, {one, one, one, one}).wrong, "4 components, not 3");
  EXPECT_EQ(judged(Status::kTimeLimit, {}).wrong, "0 components, not 3");
}

TEST(Judge, FeasibilityComesFirst) {
  EXPECT_EQ(judge_components(solver_with({"theorem0"}),
                             {{.support = {0, 1, 2, 3}, .values = Vector::Constant(4, 0.5)}})
                .wrong,
            "component 1: 4 nonzeros, 3 allowed");
}

/// A certificate whose check runs until its budget ends, or returns the bound at once.
class PatientCertificate final : public BoundCertificate {
 public:
  PatientCertificate(bool is_endless, double bound) : is_endless_(is_endless), bound_(bound) {}

 protected:
  double do_check(const Covariance&, Index, Budget& budget) const override {
    while (is_endless_) {
      if (!budget.next()) {
        return std::numeric_limits<double>::infinity();
      }
    }
    return bound_;
  }

 private:
  bool is_endless_;
  double bound_;
};

/// A certificate whose check returns what it was told.
class ToldCertificate final : public BoundCertificate {
 public:
  explicit ToldCertificate(double bound) : bound_(bound) {}

 private:
  double do_check(const Covariance&, Index, Budget&) const override { return bound_; }
  double bound_;
};

TEST(Judge, ABoundOfTheSolverIsRefutedByABetterAnswerNearItsOwn) {
  const Dataset data = small_dataset();
  const Component best =
      best_on_support(*data.covariance, best_by_enumeration(*data.covariance, 3).support).component;
  const double optimum = data.covariance->quadratic_form(best);
  const auto judged = [&](const Component& component, bool is_exact,
                          std::shared_ptr<const BoundCertificate> certificate) {
    SolverEntry solver = solver_with({});
    solver.traits.exact = is_exact;
    Solution solution;
    solution.status = Status::kConverged;
    solution.components = {component};
    solution.certificate = std::move(certificate);
    return judge({.solver = solver,
                  .options = Json::object(),
                  .solution = std::move(solution),
                  .cardinality = {3}},
                 data, Spectrum(*data.covariance), {"upper_bound"});
  };
  const Component other = far_from_best();
  const double value = data.covariance->quadratic_form(other);
  ASSERT_LT(value, 0.99 * optimum);
  const auto told = [](double bound) { return std::make_shared<const ToldCertificate>(bound); };
  EXPECT_NE(judged(other, true, nullptr).wrong.find("contradiction"), std::string::npos);
  EXPECT_NE(judged(other, false, told(value)).wrong.find("contradiction"), std::string::npos);
  const double none = -std::numeric_limits<double>::infinity();
  EXPECT_NE(judged(best, false, told(none)).wrong.find("contradiction"), std::string::npos);
  EXPECT_EQ(judged(best, true, nullptr).wrong, "");
  EXPECT_EQ(judged(best, false, told(optimum)).wrong, "");
  EXPECT_EQ(judged(other, false, told(optimum)).wrong, "");
}

TEST(Judge, TheCheckOfACertificateIsLimitedAndReported) {
  const Dataset data = small_dataset();
  const Spectrum spectrum(*data.covariance);
  const double weaker = spectrum.cardinality_bound(3);
  const auto judged = [&](std::shared_ptr<const BoundCertificate> certificate) {
    Solution solution;
    solution.status = Status::kConverged;
    solution.components = best_on({0, 1, 2}, 1);
    solution.certificate = std::move(certificate);
    return judge({.solver = solver_with({}),
                  .options = Json::object(),
                  .solution = std::move(solution),
                  .components = 1,
                  .cardinality = {3},
                  .check_limit = 0.01},
                 data, spectrum, {"upper_bound"});
  };
  const double better = 0.99 * weaker;
  const Judgement at_once = judged(std::make_shared<PatientCertificate>(false, better));
  EXPECT_EQ(at_once.upper_bound, better);
  EXPECT_EQ(at_once.note, "");
  EXPECT_TRUE(std::isfinite(at_once.check_seconds));
  const Judgement stopped = judged(std::make_shared<PatientCertificate>(true, better));
  EXPECT_EQ(stopped.upper_bound, weaker);
  EXPECT_EQ(stopped.note,
            "the check of the certificate was stopped at its limit of 0.01 s: the bound is a "
            "weaker one");
  EXPECT_TRUE(std::isnan(judged(nullptr).check_seconds));
}

}  // namespace
}  // namespace spca::judge_test

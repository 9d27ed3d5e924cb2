/// Solvers whose bounds a search takes in.

#include <gtest/gtest.h>

#include <cmath>

#include "spca/base/error.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/methods/bounds/certified_search.h"

namespace spca::feeds_test {
namespace {

class BreakingCertificate final : public BoundCertificate {
 protected:
  double do_check(const Covariance&, Index, Budget&) const override {
    throw NumericalError("no bound converges");
  }
};

Solution solve_breaks(const Problem&, const NoOptions&, Budget&) {
  throw NumericalError("nothing converges");
}
SPCA_SOLVER("test-breaks", solve_breaks, (Traits{.summary = "", .problem = "", .source = ""}));

Solution solve_proves_nothing(const Problem&, const NoOptions&, Budget& budget) {
  Solution solution = make_solution({{.support = {0}, .values = Vector::Ones(1)}}, budget);
  solution.certificate = std::make_shared<BreakingCertificate>();
  return solution;
}
SPCA_SOLVER("test-proves-nothing", solve_proves_nothing,
            (Traits{.summary = "", .problem = "", .source = ""}));

TEST(Feeds, ThatBreakDownAreANote) {
  const auto covariance = make_explicit_covariance(Matrix::Identity(3, 3));
  const Problem problem{.covariance = *covariance, .cardinality = {1}};
  Budget budget;
  const OtherAnswers answers = ask_others(problem, {"test-breaks", "test-proves-nothing"}, budget);
  EXPECT_EQ(answers.note, "test-breaks was left out: nothing converges");
  ASSERT_EQ(answers.solutions.size(), 1U);
  const CheckedFeed feed = check_feed(problem, answers.solutions[0], budget);
  EXPECT_TRUE(std::isinf(feed.bound));
  std::string note = answers.note;
  append_note(feed.note, note);
  EXPECT_EQ(
      note,
      "test-breaks was left out: nothing converges; a bound was left out: no bound converges");
}

TEST(Feeds, ThatBreakDownLeaveTheOtherPartsOfACertificate) {
  const auto covariance = make_explicit_covariance(Vector{{3, 2, 1}}.asDiagonal());
  SearchCertificate certificate;
  certificate.support = {0};
  certificate.work = 1e6;
  certificate.fed = {std::make_shared<BreakingCertificate>()};
  Budget budget;
  EXPECT_NEAR(certificate.check(*covariance, 1, budget), 3, 1e-9);
}

}  // namespace
}  // namespace spca::feeds_test

/// Tests the spannogram solvers at the limits of valid input: they return an answer, or a status
/// and a message with the reason why there is none.

#include <gtest/gtest.h>

#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/data/dataset.h"
#include "spca/data/files/read_dataset.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/solve.h"
#include "spca/spectrum/low_rank.h"
#include "tests/solver_testing.h"
#include "tests/temporary_files.h"

namespace spca::spannogram_input_test {
namespace {

// At most this relative rounding of an eigenvalue of a matrix with at most 7 rows.
constexpr double kInputRounding = 1e-10;

struct Asked {
  const char* solver;
  Json options;
};

/// Returns each spannogram solver, with ranks up to the largest accepted one, far above p.
std::vector<Asked> everything_asked() {
  std::vector<Asked> asked = {{"spannogram-sweep", Json::object()},
                              {"spannogram-sweep", {{"polish", false}}},
                              {"spannogram-sweep", {{"eliminate", false}, {"polish", false}}},
                              {"spannogram-bound", Json::object()}};
  for (const Index d : {1, 2, 3, 5, 16}) {
    asked.push_back({"spannogram", {{"rank", d}}});
    asked.push_back({"spannogram-bound", {{"rank", d}, {"polish", false}}});
  }
  return asked;
}

SolveOutcome solve_as_asked(const Asked& asked, const std::shared_ptr<const Covariance>& s,
                            Index k) {
  const SolverEntry& entry = SolverRegistry::instance().get(asked.solver, "solver");
  return solve({.covariance = s,
                .solver = &entry,
                .options = entry.complete_options(asked.options, "/options"),
                .cardinality = {k}});
}

std::string described(const Asked& asked) { return asked.solver + asked.options.dump(); }

/// Expects from every solver a feasible answer with the variance `value`, and no smaller bound.
void expect_value(const std::shared_ptr<const Covariance>& s, Index k, double value) {
  for (const Asked& asked : everything_asked()) {
    const SolveOutcome outcome = solve_as_asked(asked, s, k);
    ASSERT_TRUE(is_usable(outcome.solution.status)) << described(asked);
    ASSERT_EQ(outcome.solution.components.size(), 1U) << described(asked);
    EXPECT_EQ(find_infeasibility(outcome.solution.components, s->variables(), {k}, Supports::kAny),
              "");
    EXPECT_NEAR(s->quadratic_form(outcome.solution.components[0]), value, kInputRounding * value)
        << described(asked);
    if (outcome.solution.certificate != nullptr) {
      EXPECT_GE(outcome.solution.certificate->check(*s, k), value * (1 - kInputRounding));
    }
  }
}

TEST(SpannogramInput, OneVariableIsItsVariance) {
  expect_value(make_explicit_covariance(Matrix::Constant(1, 1, 3.0)), 1, 3);
}

TEST(SpannogramInput, AllVariablesAreThePrincipalComponent) {
  for (const Index p : {2, 3, 7}) {
    const auto s = trial::as_covariance(trial::random_data(p + 2, p, 5));
    expect_value(s, p, leading_eigenpairs(*s, 1).values[0]);
  }
}

TEST(SpannogramInput, AboveTheRankOfTheMatrixItIsExact) {
  // S has 6 variables and rank 2; a solver with rank 1 need not find the optimum.
  Matrix rows = trial::random_data(2, 6, 11);
  const auto s = trial::as_covariance(rows);
  for (Index k = 1; k <= 6; ++k) {
    const Asked enumeration{"exhaustive", Json::object()};
    const double optimum =
        s->quadratic_form(solve_as_asked(enumeration, s, k).solution.components.at(0));
    for (const Asked& asked : everything_asked()) {
      if (asked.options.value("rank", 2) == 1) {
        continue;
      }
      const SolveOutcome outcome = solve_as_asked(asked, s, k);
      ASSERT_EQ(outcome.solution.components.size(), 1U) << described(asked);
      const double epsilon = asked.options.value("epsilon", 1e-3);
      EXPECT_GE(s->quadratic_form(outcome.solution.components[0]), optimum * (1 - epsilon))
          << described(asked) << k;
    }
  }
}

TEST(SpannogramInput, WithoutVarianceIsSkippedWithTheReason) {
  const auto zero = make_explicit_covariance(Matrix::Zero(4, 4));
  const auto constant =
      make_covariance(Matrix::Ones(5, 4), {.centered = true, .scale = Scale::kSamples});
  for (const auto& s : {zero, constant}) {
    for (const Asked& asked : everything_asked()) {
      const SolveOutcome outcome = solve_as_asked(asked, s, 2);
      EXPECT_EQ(outcome.solution.status, Status::kSkipped) << described(asked);
      EXPECT_FALSE(outcome.solution.message.empty()) << described(asked);
    }
  }
}

TEST(SpannogramInput, OneVariableWithVarianceIsTheAnswerForEveryCardinality) {
  Matrix data = Matrix::Zero(3, 5);
  data(1, 3) = 2;
  const auto s = make_covariance(std::move(data), {.centered = false, .scale = Scale::kNone});
  for (const Index k : {1, 3, 5}) {
    expect_value(s, k, 4);
    for (const Asked& asked : everything_asked()) {
      EXPECT_EQ(solve_as_asked(asked, s, k).solution.components.at(0).support, Support{3});
    }
  }
}

/// Which of the equal variables a solver chooses depends on rounding; all choices have one value.
TEST(SpannogramInput, EqualVariablesAreAsGoodAsEachOther) {
  Matrix opposite = Matrix::Ones(6, 6);
  opposite.row(2) *= -1;
  opposite.col(2) *= -1;
  for (const Matrix& s : {Matrix(Matrix::Ones(6, 6)), opposite}) {
    for (const Index k : {1, 2, 5, 6}) {
      expect_value(make_explicit_covariance(s), k, static_cast<double>(k));
    }
  }
}

class SpannogramCorpus : public TemporaryFiles {};

TEST_F(SpannogramCorpus, AcceptsEmptyDocumentsAndUnusedWords) {
  // The 2nd and the last of 6 documents are empty; the 1st and the 4th of 5 words never occur.
  const fs::path path =
      write("docword.tiny.txt", "6\n5\n6\n1 2 3\n1 3 1\n3 2 1\n3 5 2\n4 5 1\n5 3 1\n");
  const auto s = read_dataset({.path = path}).covariance;
  for (Index k = 1; k <= 5; ++k) {
    const Asked enumeration{"exhaustive", Json::object()};
    const double optimum =
        s->quadratic_form(solve_as_asked(enumeration, s, k).solution.components.at(0));
    for (const Asked& asked : everything_asked()) {
      const SolveOutcome outcome = solve_as_asked(asked, s, k);
      ASSERT_EQ(outcome.solution.components.size(), 1U) << described(asked);
      for (const Index word : outcome.solution.components[0].support) {
        EXPECT_TRUE(word == 1 || word == 2 || word == 4) << described(asked) << k;
      }
      if (asked.options.value("rank", 2) >= 3) {
        EXPECT_NEAR(s->quadratic_form(outcome.solution.components[0]), optimum, 1e-3 * optimum)
            << described(asked) << k;
      }
    }
  }
}

TEST(SpannogramInput, RefusesACardinalityOrARankOutOfRange) {
  const auto s = make_explicit_covariance(Matrix::Identity(3, 3));
  for (const Index k : {0, 4}) {
    EXPECT_THROW(solve_as_asked({"spannogram-sweep", Json::object()}, s, k), InputError);
  }
  for (const char* solver : {"spannogram", "spannogram-bound"}) {
    EXPECT_THROW(solve_as_asked({solver, {{"rank", 0}}}, s, 1), InputError) << solver;
    EXPECT_THROW(solve_as_asked({solver, {{"rank", 17}}}, s, 1), InputError) << solver;
  }
}

}  // namespace
}  // namespace spca::spannogram_input_test

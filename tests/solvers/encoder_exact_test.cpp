/// Compares the certified encoder with enumeration of all rows, and tests its bounds wherever it is
/// stopped.

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/methods/encoders/column_factor.h"
#include "spca/methods/encoders/exact_rows.h"
#include "spca/methods/encoders/linear_encoder.h"
#include "spca/solving/feasibility.h"
#include "tests/encoder_testing.h"

namespace spca::encoder_exact_test {
namespace {

using namespace trial;

struct Trial {
  Matrix x;
  Matrix s;
  std::shared_ptr<const Covariance> covariance;
  Index rank = 0;  // of x
};

/// Draws, by the seed: strong directions in noise; a copy of a column and a difference of two;
/// columns of zeros; fewer samples than columns; whole numbers, which tie.
Trial random_trial(int seed, Index max_variables) {
  Random random(static_cast<std::uint64_t>(seed));
  const auto below = [&](Index n) {
    return static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
  };
  const Index p = 5 + below(max_variables - 4);
  const Index n = seed % 5 == 3 ? 4 : p + 1 + below(10);
  Trial trial;
  trial.x = random_samples(n, p, static_cast<std::uint64_t>(seed));
  if (seed % 5 == 1) {
    trial.x.col(p - 1) = trial.x.col(0);
    trial.x.col(p - 2) = trial.x.col(1) - trial.x.col(2);
  } else if (seed % 5 == 2) {
    trial.x.col(1).setZero();
    trial.x.col(p - 1).setZero();
  } else if (seed % 5 == 4) {
    trial.x = trial.x.array().round().max(-1).min(1);
    trial.x.row(0).setOnes();
  }
  trial.s = trial.x.transpose() * trial.x;
  trial.covariance =
      seed % 2 == 0 ? trial::as_covariance(trial.x) : make_explicit_covariance(trial.s);
  const Vector values = symmetric_eigenvalues(trial.s);
  trial.rank = (values.array() > 1e-9 * values.maxCoeff()).count();
  return trial;
}

/// Returns for each k the most that k rows capture.
std::map<Index, double> most_captured(const Trial& trial, Index r) {
  const Matrix squared = trial.s * trial.s;
  std::map<Index, double> captured_by_k;
  for (Index k = r; k <= trial.s.rows(); ++k) {
    for_each_support(trial.s.rows(), k, [&](const Support& rows) {
      captured_by_k[k] = std::max(
          captured_by_k[k], column_span(trial.s(rows, rows), squared(rows, rows)).captured_by(r));
    });
  }
  return captured_by_k;
}

/// Returns the accepted rounding, a share of the trace of S. The loss of PCA is well above it in
/// these trials.
double allowed_rounding(const Trial& trial) { return 1e-8 * trial.s.trace(); }

constexpr int kTrials = trial::tries(120);

TEST(EncoderExact, LosesAsLittleAsTheBestOfAllRows) {
  for (int seed = 0; seed < kTrials; ++seed) {
    const Trial trial = random_trial(seed, 9);
    for (Index r = 1; r <= std::min<Index>(3, trial.rank - 1); ++r) {
      const std::map<Index, double> captured_by_k = most_captured(trial, r);
      for (const auto& [k, captured] : captured_by_k) {
        SCOPED_TRACE(fmt::format("seed={} p={} r={} k={}", seed, trial.s.rows(), r, k));
        const SolveOutcome outcome = solve_with("encoder-exact", trial.covariance, equal(r, k));
        ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
        const auto& components = outcome.solution.components;
        EXPECT_NEAR(captured_by_encoder(*trial.covariance, components), captured,
                    allowed_rounding(trial));
        EXPECT_LE(measure_one("row_sparsity", *trial.covariance, components),
                  static_cast<double>(k));
        EXPECT_EQ(outcome.facts.at("certified")[0], 1);
        EXPECT_NEAR(outcome.facts.at("captured_bound")[0], captured, allowed_rounding(trial));
        // Rounding of dependent columns is known less well from S than from data.
        EXPECT_NEAR(outcome.facts.at("gap")[0], 0, 1e-5);
      }
    }
  }
}

TEST(EncoderExact, NeedsAsFewRowsAsEnumerationFinds) {
  for (int seed = 0; seed < kTrials; ++seed) {
    const Trial trial = random_trial(seed, 9);
    const Index p = trial.s.rows();
    for (Index r = 1; r <= std::min<Index>(2, trial.rank - 1); ++r) {
      const std::map<Index, double> captured_by_k = most_captured(trial, r);
      const double least = trial.s.trace() - symmetric_eigenvalues(trial.s).tail(r).sum();
      for (const double epsilon : {0.03, 0.1, 0.4}) {
        SCOPED_TRACE(fmt::format("seed={} p={} r={} epsilon={}", seed, p, r, epsilon));
        const auto serves = [&](Index k, double slack) {
          return trial.s.trace() - captured_by_k.at(k) <= (1 + epsilon) * least + slack;
        };
        Index fewest = r;
        while (!serves(fewest, 0)) {
          ++fewest;
        }
        // A loss at its limit except for rounding may be on either side of it.
        if (fewest > r && serves(fewest - 1, allowed_rounding(trial))) {
          continue;
        }
        const SolveOutcome outcome =
            solve_with("encoder-exact", trial.covariance, equal(r, p), {{"epsilon", epsilon}});
        ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
        EXPECT_EQ(outcome.facts.at("rows")[0], static_cast<double>(fewest));
        EXPECT_EQ(outcome.facts.at("rows_bound")[0], static_cast<double>(fewest));
        EXPECT_EQ(outcome.facts.at("certified")[0], 1);
        EXPECT_LE(measure_one("information_loss", *trial.covariance, outcome.solution.components),
                  1 + epsilon + 1e-8 * trial.s.trace() / least);
        EXPECT_LE(measure_one("row_sparsity", *trial.covariance, outcome.solution.components),
                  static_cast<double>(fewest));
        if (fewest > r) {
          const SolveOutcome too_few = solve_with("encoder-exact", trial.covariance,
                                                  equal(r, fewest - 1), {{"epsilon", epsilon}});
          EXPECT_EQ(too_few.solution.status, Status::kSkipped);
          EXPECT_NE(too_few.solution.message.find("certified"), std::string::npos);
        }
      }
    }
  }
}

TEST(EncoderExact, AgreesWithEnumerationOfSixteenVariables) {
  for (const int seed : {0, 1, 3}) {
    const Matrix x = random_samples(seed == 3 ? 12 : 30, 16, static_cast<std::uint64_t>(seed));
    const Matrix s = x.transpose() * x;
    const Matrix squared = s * s;
    for (const Index k : {3, 5}) {
      double captured = 0;
      for_each_support(16, k, [&](const Support& rows) {
        captured =
            std::max(captured, column_span(s(rows, rows), squared(rows, rows)).captured_by(2));
      });
      const SolveOutcome outcome = solve_with("encoder-exact", as_covariance(x), equal(2, k));
      EXPECT_NEAR(outcome.facts.at("captured")[0], captured, 1e-9 * s.trace());
      EXPECT_EQ(outcome.facts.at("certified")[0], 1);
    }
  }
}

TEST(EncoderExact, BoundHoldsWhereverItIsStopped) {
  for (int seed = 0; seed < 60; ++seed) {
    const Trial trial = random_trial(seed, 11);
    for (const Index r : {1, 2}) {
      const Index k = std::min<Index>(4, trial.s.rows());
      const ExactRowsProblem problem{.factor = column_factor(*trial.covariance), .r = r, .k = k};
      constexpr double kNever = std::numeric_limits<double>::infinity();
      double least = kNever;
      for_each_support(trial.s.rows(), k, [&](const Support& rows) {
        least = std::min(least, loss_on(problem, rows).value);
      });
      double before = 0;
      for (const int nodes : {0, 1, 3, 10, 30}) {
        SCOPED_TRACE(fmt::format("seed={} r={} nodes={}", seed, r, nodes));
        int left = nodes;
        const ExactRows answer =
            exact_rows(problem, {}, kNever, 0, [&](double) { return left-- > 0; });
        EXPECT_LE(answer.bound, least);
        EXPECT_GE(answer.bound, before * (1 - 1e-12));
        EXPECT_GE(answer.loss.value, least);
        before = answer.bound;
      }
    }
  }
}

/// Two columns of length 3.5e4 differ by some units, and S has lost most digits of the difference.
TEST(EncoderExact, CertifiesNoRowsThatRoundingHidesBetterOnesFrom) {
  Matrix x(4, 3);
  x << 0, -10000, -10001, 1, -29999, -30001, 1, 10001, 10001, 0, 9999, 10000;
  const auto covariance = make_covariance(x, {.centered = false, .scale = Scale::kNone});
  const SolveOutcome outcome = solve_with("encoder-exact", covariance, equal(1, 2));
  ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  EXPECT_EQ(outcome.solution.components[0].support, (Support{1, 2}));
  // {1, 2} loses 1.00000000007 times the loss of PCA, 2.0000833338891 (in exact arithmetic); {0, 2}
  // loses 1.09999 times.
  const LossInterval loss = encoder_loss(column_factor(*covariance), outcome.solution.components);
  EXPECT_NEAR(loss.value, 2.0000833338891, 1e-6);
  EXPECT_NEAR(measure_one("information_loss", *covariance, outcome.solution.components), 1, 1e-6);
  EXPECT_LE(measure_one("information_loss_bound", *covariance, outcome.solution.components),
            1.00000000007);
  // S itself says less about {1, 2}. Its bound on the loss is at most the true loss.
  const auto squares = make_explicit_covariance(x.transpose() * x);
  const SolveOutcome of_squares = solve_with("encoder-exact", squares, equal(1, 2));
  EXPECT_EQ(of_squares.solution.components[0].support, (Support{1, 2}));
  EXPECT_GE(of_squares.facts.at("captured_bound")[0], x.squaredNorm() - 2.0001);
}

/// The columns have length 10^7 and lie in a plane except for some units. Rounding decides which
/// three lose least, and the answer says that.
TEST(EncoderExact, SaysIfRoundingDecides) {
  Random random(1034);
  int undecided = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix plane = 1e7 * random_matrix(5, 2, random) * random_matrix(2, 6, random);
    const auto covariance = as_covariance(plane + random_matrix(5, 6, random));
    const SolveOutcome outcome = solve_with("encoder-exact", covariance, equal(2, 3));
    const bool is_certified = outcome.facts.at("certified")[0] == 1;
    EXPECT_EQ(outcome.solution.status, is_certified ? Status::kConverged : Status::kIterationLimit);
    EXPECT_EQ(outcome.solution.message.find("depend on one another") == std::string::npos,
              is_certified);
    undecided += is_certified ? 0 : 1;
  }
  EXPECT_GT(undecided, 10);
}

/// The metric does not depend on the solver: for the rows of an inexact solver it bounds their
/// distance from the best.
TEST(EncoderExact, TheMetricBoundsTheLossOfEveryEncoder) {
  for (int seed = 0; seed < 20; ++seed) {
    const Trial trial = random_trial(seed, 9);
    if (trial.rank < 3) {
      continue;
    }
    const double least = trial.s.trace() - symmetric_eigenvalues(trial.s).tail(2).sum();
    const std::map<Index, double> captured_by_k = most_captured(trial, 2);
    for (const char* name : {"encoder-exact", "encoder-batch"}) {
      const auto components = solve_with(name, trial.covariance, equal(2, 3)).solution.components;
      const auto rows =
          static_cast<Index>(measure_one("row_sparsity", *trial.covariance, components));
      const double bound = measure_one("information_loss_bound", *trial.covariance, components);
      EXPECT_NEAR(bound, (trial.s.trace() - captured_by_k.at(rows)) / least,
                  allowed_rounding(trial) / least)
          << "seed=" << seed << " " << name;
      EXPECT_LE(bound, measure_one("information_loss", *trial.covariance, components) +
                           allowed_rounding(trial) / least);
    }
  }
}

TEST(EncoderExact, MayBeStoppedAtAnyTime) {
  const auto covariance = as_covariance(random_samples(40, 30, 2));
  const SolverEntry& solver = SolverRegistry::instance().get("encoder-exact", "");
  for (const double epsilon : {0.0, 0.03}) {
    const Json options = solver.complete_options({{"epsilon", epsilon}}, "");
    for (const Index iterations : {1, 2, 6, 20}) {
      Budget budget({.iterations = iterations});
      const Solution solution = solver.solve(
          {.covariance = *covariance, .components = 2, .cardinality = {12, 12}}, options, budget);
      if (!solution.components.empty()) {
        EXPECT_EQ(find_infeasibility(solution.components, 30, {12, 12}, Supports::kAny), "");
      }
    }
  }
}

}  // namespace
}  // namespace spca::encoder_exact_test

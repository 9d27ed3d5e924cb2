#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "spca/covariance/covariance_explicit.h"
#include "spca/measure/judge.h"
#include "spca/methods/orthogonal/certified_maximum.h"
#include "spca/methods/orthogonal/orthogonal_bound.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/solve.h"
#include "spca/spectrum/joint_loadings.h"
#include "tests/metric_testing.h"
#include "tests/orthogonal_case.h"
#include "tests/solver_testing.h"

namespace spca::orthogonal_ascent_test {
namespace {

using trial::covariance_of;
using trial::kSum;
using trial::OrthogonalCase;
using trial::random_orthogonal_case;

constexpr std::uint64_t kSeed = 16;
constexpr int kProblems = trial::tries(200);
// A quick search, for properties that hold for every answer and for problems that it solves.
const Json kQuick = {{"patience", 16}, {"rounds", 1}, {"draws", 4}};
// Enough for two components of three nonzeros.
const Json kThorough = {{"patience", 48}, {"rounds", 2}};

Vector pair_of(double a, double b) {
  Vector result(2);
  result << a, b;
  return result;
}

SolveOutcome solved(const OrthogonalCase& one, const Json& options, std::uint64_t seed = 1,
                    int threads = 1) {
  const SolverEntry& solver = SolverRegistry::instance().get("orthogonal-ascent", "solver");
  SolveRequest request;
  request.covariance = make_explicit_covariance(one.matrix);
  request.solver = &solver;
  request.options = solver.complete_options(options, "/options");
  request.components = std::ssize(one.cardinality);
  request.cardinality = one.cardinality;
  request.seed = seed;
  request.threads = threads;
  return solve(request);
}

double value_of(const OrthogonalCase& one, const SolveOutcome& outcome) {
  double value = 0;
  for (const Component& v : outcome.solution.components) {
    value += v.values.dot(one.matrix(v.support, v.support) * v.values);
  }
  return value;
}

double bound_of(const OrthogonalCase& one, Index iterations) {
  Budget budget({.iterations = iterations});
  return orthogonal_bound(one.matrix, one.cardinality, {}, 1e-5, budget).value;
}

TEST(OrthogonalAscent, SLOW_AnswersAreFeasibleAndBelowTheBoundWhereverItsSearchEnds) {
  Random random(kSeed);
  int solved_count = 0;
  for (int i = 0; i < kProblems; ++i) {
    const auto p = static_cast<Index>(6 + random.below(9));
    const auto r = static_cast<Index>(1 + random.below(4));
    const OrthogonalCase one = random_orthogonal_case(random, i, p, r, 5);
    SCOPED_TRACE(fmt::format("problem {}: p = {}, r = {}", i, p, r));
    const SolveOutcome outcome = solved(one, kQuick);
    ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
    EXPECT_EQ(find_infeasibility(outcome.solution.components, p, one.cardinality, Supports::kAny),
              "");
    const Matrix gram = loadings_gram(outcome.solution.components);
    EXPECT_LE((gram - Matrix::Identity(r, r)).cwiseAbs().maxCoeff(), kOrthogonalTolerance);
    const double value = value_of(one, outcome);
    const double slack = kSum * one.matrix.trace();
    double last = std::numeric_limits<double>::infinity();
    for (const Index iterations : {0, 2}) {
      const double bound = bound_of(one, iterations);
      EXPECT_GE(bound, value - slack) << iterations << " iterations";
      EXPECT_LE(bound, last + slack) << iterations << " iterations";
      last = bound;
    }
    if (i % 10 == 0) {
      EXPECT_GE(bound_of(one, 30), value - slack);
    }
    ++solved_count;
  }
  EXPECT_EQ(solved_count, kProblems);
}

/// Returns max u'Su + v'Sv over unit u on I and v on J with u'v = 0: u by a pattern search on its
/// sphere from six starts, the best v for it by an eigenvalue. No step is shared with the solver.
double best_on_pair(const Matrix& s, const Support& i, const Support& j) {
  const auto value = [&](const Vector& u) {
    Vector w = Vector::Zero(s.rows());
    w(i) = u;
    const Vector on_j = w(j);
    const double own = u.dot(s(i, i) * u);
    const double length = on_j.norm();
    if (length < 1e-12) {
      return own + symmetric_eigenvalues(s(j, j)).maxCoeff();
    }
    if (on_j.size() == 1) {
      return -1.0;  // no v is left
    }
    const Vector q = on_j / length;
    const Matrix project = Matrix::Identity(q.size(), q.size()) - q * q.transpose();
    return own + symmetric_eigenvalues(project * s(j, j) * project).maxCoeff();
  };
  double best = -1;
  Random random(7);
  for (int start = 0; start < 6; ++start) {
    Vector u = Vector::Zero(std::ssize(i));
    if (start < u.size()) {
      u[start] = 1;
    } else {
      u = trial::random_matrix(u.size(), 1, random).col(0);
      u.normalize();
    }
    double now = value(u);
    for (double step = 0.5; step > 1e-6;) {
      bool has_risen = false;
      for (Index e = 0; e < u.size(); ++e) {
        for (const double sign : {-1.0, 1.0}) {
          Vector next = u;
          next[e] += sign * step;
          if (next.norm() < 1e-9) {
            continue;
          }
          next.normalize();
          const double there = value(next);
          if (there > now + 1e-13 * s.trace()) {
            u = next;
            now = there;
            has_risen = true;
          }
        }
      }
      step *= has_risen ? 1 : 0.5;
    }
    best = std::max(best, now);
  }
  return best;
}

TEST(OrthogonalAscent, SLOW_ReachesBruteForceOverPairsOfSupports) {
  Random random(kSeed + 1);
  for (int i = 0; i < trial::tries(8); ++i) {
    const auto p = static_cast<Index>(5 + i % 2);
    const OrthogonalCase one = random_orthogonal_case(random, i, p, 2, 3 - i % 2);
    SCOPED_TRACE(fmt::format("problem {}: k = {}, {}", i, one.cardinality[0], one.cardinality[1]));
    double best = 0;
    trial::for_each_support(p, one.cardinality[0], [&](const Support& a) {
      trial::for_each_support(p, one.cardinality[1], [&](const Support& b) {
        best = std::max(best, best_on_pair(one.matrix, a, b));
      });
    });
    const double value = value_of(one, solved(one, kThorough));
    EXPECT_GE(value, best - kSum * one.matrix.trace());
    EXPECT_GE(bound_of(one, 30), best - kSum * one.matrix.trace());
  }
}

TEST(OrthogonalAscent, OneComponentIsBoundedByEnumeration) {
  Random random(kSeed + 2);
  for (int i = 0; i < 10; ++i) {
    const OrthogonalCase one = random_orthogonal_case(random, i, 8, 1, 5);
    const double best =
        trial::best_by_enumeration(*make_explicit_covariance(one.matrix), one.cardinality[0]).value;
    EXPECT_NEAR(value_of(one, solved(one, kQuick)), best, kSum * one.matrix.trace());
    EXPECT_GE(bound_of(one, 30), best - kSum * one.matrix.trace());
  }
}

TEST(OrthogonalAscent, TheOrderOfTheVariablesDoesNotChangeTheValue) {
  Random random(kSeed + 3);
  for (int i = 0; i < trial::tries(8); ++i) {
    const Index p = 7;
    const OrthogonalCase one = random_orthogonal_case(random, i, p, 2, 3);
    std::vector<Index> order(static_cast<std::size_t>(p));
    std::iota(order.begin(), order.end(), Index{0});
    for (std::size_t j = order.size(); j-- > 1;) {
      std::swap(order[j], order[random.below(j + 1)]);
    }
    const OrthogonalCase other{.matrix = one.matrix(order, order), .cardinality = one.cardinality};
    EXPECT_NEAR(value_of(one, solved(one, kThorough)), value_of(other, solved(other, kThorough)),
                1e-8 * one.matrix.trace());
  }
}

TEST(OrthogonalAscent, SameSeedSameBytesWithAnyThreads) {
  Random random(kSeed + 4);
  const OrthogonalCase one = random_orthogonal_case(random, 3, 12, 3, 5);
  const SolveOutcome first = solved(one, kQuick, 5);
  for (const int threads : {1, 2, 3}) {
    const SolveOutcome again = solved(one, kQuick, 5, threads);
    ASSERT_EQ(again.solution.components.size(), first.solution.components.size());
    for (std::size_t j = 0; j < first.solution.components.size(); ++j) {
      EXPECT_EQ(again.solution.components[j].support, first.solution.components[j].support);
      EXPECT_EQ(again.solution.components[j].values, first.solution.components[j].values);
    }
  }
}

TEST(OrthogonalAscent, UncorrelatedScoresAndBothHoldToRounding) {
  Random random(kSeed + 5);
  for (int i = 0; i < trial::tries(10); ++i) {
    OrthogonalCase one = random_orthogonal_case(random, 3, 10, 3, 1);
    one.cardinality = {5, 6, 5};
    for (const char* constraint : {"uncorrelated", "both"}) {
      Json options = kQuick;
      options["constraint"] = constraint;
      const SolveOutcome outcome = solved(one, options);
      ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
      const SolverEntry& solver = SolverRegistry::instance().get("orthogonal-ascent", "solver");
      const Orthogonality asked = orthogonality_of(solver, outcome.options);
      EXPECT_TRUE(asked.of_scores);
      EXPECT_EQ(asked.of_loadings, std::string(constraint) == "both");
      EXPECT_EQ(find_dependence(outcome.solution.components, *make_explicit_covariance(one.matrix),
                                asked),
                "")
          << constraint;
    }
  }
  // With one nonzero each, correlated variables have correlated scores.
  OrthogonalCase one = random_orthogonal_case(random, 3, 6, 2, 1);
  Json options = kQuick;
  options["constraint"] = "uncorrelated";
  EXPECT_EQ(solved(one, options).solution.status, Status::kSkipped);
}

TEST(OrthogonalAscent, AnAnswerThatIsNotOrthogonalIsInvalid) {
  const Matrix matrix = Matrix::Identity(3, 3);
  const Dataset dataset{
      .covariance = make_explicit_covariance(matrix), .variable_names = {}, .truth = {}};
  const Spectrum spectrum(*dataset.covariance);
  const SolverEntry& solver = SolverRegistry::instance().get("orthogonal-ascent", "solver");
  const Json options = solver.complete_options(Json::object(), "/options");
  const auto fault = [&](double error) {
    Solution solution;
    solution.status = Status::kConverged;
    solution.components = {
        {.support = {0}, .values = Vector::Ones(1)},
        {.support = {0, 1}, .values = pair_of(error, std::sqrt(1 - error * error))}};
    return find_fault({.solver = solver,
                       .options = options,
                       .solution = solution,
                       .components = 2,
                       .cardinality = {2, 2}},
                      dataset, spectrum);
  };
  EXPECT_EQ(fault(1e-13), "");
  EXPECT_NE(fault(1e-11).find("orthonormal"), std::string::npos) << fault(1e-11);
}

/// Lambda = 0 counts each component alone. Here both components want the same two variables, so the
/// bound at Lambda = 0 is 6, above the optimum of 5.5.
TEST(OrthogonalBound, ReachesTheOptimumOfTwoBlocks) {
  Matrix matrix = Matrix::Zero(4, 4);
  matrix.topLeftCorner(2, 2) << 2, 1, 1, 2;
  matrix.bottomRightCorner(2, 2) << 2, 0.5, 0.5, 2;
  // Blocks of eigenvalues 3, 1 and 2.5, 1.5: two components of two nonzeros explain 5.5.
  const OrthogonalCase one{.matrix = matrix, .cardinality = {2, 2}};
  EXPECT_NEAR(value_of(one, solved(one, kQuick)), 5.5, 1e-12);
  EXPECT_NEAR(bound_of(one, 1000), 5.5, 5e-3);
  Budget budget;
  EXPECT_NEAR(orthogonal_bound_at(matrix, {2, 2}, {.factor = Matrix::Zero(4, 0)}, budget), 6, 1e-8);
}

TEST(OrthogonalBound, IsTheSameByEnumerationAndByTheSearchOfBranchBound) {
  // 18 variables have 31,824 supports of 7, too many for the bound to enumerate: it searches. Their
  // 816 supports of 3 are enumerated.
  const Matrix matrix = covariance_of(trial::random_matrix(30, 18, kSeed));
  const Matrix factor = 0.5 * trial::random_matrix(18, 2, kSeed + 9);
  const Matrix left = matrix - factor * factor.transpose();
  for (const Index k : {3, 7}) {
    Budget budget;
    const double bound = orthogonal_bound_at(matrix, {k, k}, {.factor = factor}, budget);
    double best = -1;
    trial::for_each_support(18, k, [&](const Support& support) {
      best = std::max(best, symmetric_eigenvalues(left(support, support)).maxCoeff());
    });
    EXPECT_NEAR(bound, factor.squaredNorm() + 2 * best, 1e-6 * bound) << k;
    EXPECT_GE(bound, factor.squaredNorm() + 2 * best) << k;
  }
}

/// With gains, some of whose prices exceed what a support is worth.
TEST(OrthogonalBound, WithGainsIsTheSameByEnumerationAndByTheSearchForPrices) {
  const Matrix matrix = covariance_of(trial::random_matrix(30, 18, kSeed + 1));
  Random random(kSeed + 2);
  for (const double size : {0.2, 0.7, 2.0}) {
    PricePoint point{.factor = size * trial::random_matrix(18, 2, random),
                     .shares = Vector::Zero(18)};
    for (double& share : point.shares) {
      share = random.uniform();
    }
    const Matrix left = matrix - point.factor * point.factor.transpose();
    const Vector gains = point.gains(18);
    for (const Index k : {3, 7}) {
      SCOPED_TRACE(fmt::format("size {}, k = {}", size, k));
      double best = -std::numeric_limits<double>::infinity();
      trial::for_each_support(18, k, [&](const Support& support) {
        best = std::max(
            best, symmetric_eigenvalues(left(support, support)).maxCoeff() + gains(support).sum());
      });
      const double expected = point.paid() + 2 * best;
      Budget budget;
      const CertifiedMaximum largest = certified_maximum(left, {.k = k, .gains = gains}, budget);
      EXPECT_TRUE(largest.is_exact);
      EXPECT_NEAR(largest.bound, best, 1e-8 * expected);
      EXPECT_GE(largest.bound, best);
      EXPECT_NEAR(check_maximum(left, k, gains, largest.proof, budget), best, 1e-8 * expected);
      const double bound = orthogonal_bound_at(matrix, {k, k}, point, budget);
      EXPECT_GE(bound, expected);
    }
  }
}

TEST(ViolationMetrics, SumOverPairs) {
  const auto covariance = make_explicit_covariance(Matrix::Identity(3, 3) * 2);
  const double half = std::sqrt(0.5);
  const std::vector<Component> components = {{.support = {0}, .values = Vector::Ones(1)},
                                             {.support = {0, 1}, .values = pair_of(half, half)},
                                             {.support = {1}, .values = Vector::Ones(1)}};
  EXPECT_NEAR(trial::measure_one("orthogonality_violation", *covariance, components), 2 * half,
              1e-12);
  EXPECT_NEAR(trial::measure_one("correlation_violation", *covariance, components), 4 * half / 6,
              1e-12);
}

}  // namespace
}  // namespace spca::orthogonal_ascent_test

/// Compares the anytime search with enumeration, and with the solver with which it begins.

#include <gtest/gtest.h>

#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/solve.h"
#include "tests/solver_testing.h"

namespace spca::search_test {
namespace {

// Eigenvalues of small matrices agree to about 1e-14; the rest is margin.
constexpr double kTolerance = 1e-10;

SolveOutcome solve_with(const char* name, std::shared_ptr<const Covariance> covariance, Index k,
                        const Json& options, int threads = 1) {
  const SolverEntry& solver = SolverRegistry::instance().get(name, "");
  return solve({.covariance = std::move(covariance),
                .solver = &solver,
                .options = solver.complete_options(options, ""),
                .cardinality = {k},
                .seed = 7,
                .threads = threads});
}

double value_of(const Covariance& covariance, const SolveOutcome& outcome) {
  return covariance.quadratic_form(outcome.solution.components.at(0));
}

Matrix random_correlation(Index p, Random& random) {
  const Matrix data = trial::random_matrix(
      3 + static_cast<Index>(random.below(static_cast<std::uint64_t>(p))), p, random);
  Matrix matrix = data.transpose() * data;
  const Vector lengths = matrix.diagonal().cwiseSqrt();
  matrix = matrix.array() / (lengths * lengths.transpose()).array();
  return 0.5 * (matrix + matrix.transpose());
}

TEST(Search, FindsTheOptimumOfEverySmallCorrelationMatrix) {
  const auto seeds = static_cast<std::uint64_t>(trial::tries(25));
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Random random(seed);
    const Index p = 5 + static_cast<Index>(random.below(8));
    const Matrix matrix = random_correlation(p, random);
    const auto covariance = make_explicit_covariance(matrix);
    const Vector optima = trial::optima_by_enumeration(matrix);
    for (Index k = 1; k <= p; ++k) {
      const SolveOutcome outcome = solve_with("search", covariance, k, Json::object());
      ASSERT_EQ(outcome.solution.status, Status::kConverged);
      EXPECT_NEAR(value_of(*covariance, outcome), optima[k - 1], kTolerance)
          << "seed=" << seed << " k=" << k;
    }
  }
}

/// Two projections leave variance to one variable of four. The answer of tpower holds another
/// variable, whose loading is rounding.
TEST(Search, AFirstAnswerMayHoldVariablesWithoutVariance) {
  Matrix matrix(4, 4);
  matrix << 12, -2, -6, 2, -2, 31, 9, -6, -6, 9, 27, -18, 2, -6, -18, 18;
  const SolverEntry& solver = SolverRegistry::instance().get("search", "");
  const SolveOutcome outcome =
      solve({.covariance = make_explicit_covariance(matrix),
             .solver = &solver,
             .options = solver.complete_options(Json::object(), ""),
             .components = 3,
             .cardinality = {2, 1, 4},
             .deflation = &DeflationRegistry::instance().get("projection", "")});
  ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  EXPECT_EQ(find_infeasibility(outcome.solution.components, 4, {2, 1, 4}, Supports::kAny), "");
}

SparseRows sparse_data(Index n, Index p, Random& random) {
  SparseRows data(n, p);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < p; ++j) {
      if (random.uniform() < 0.05) {
        data.insert(i, j) = random.normal();
      }
    }
  }
  data.makeCompressed();
  return data;
}

/// S turns the start on all variables into zero, so that no power step truncates it.
TEST(Search, AStartThatSTurnsIntoZeroIsTruncatedToo) {
  Matrix s = Matrix::Zero(3, 3);
  s(1, 1) = s(2, 2) = 3;
  s(1, 2) = s(2, 1) = -3;
  const auto covariance = make_explicit_covariance(s);
  const SolveOutcome outcome = solve_with("search", covariance, 1, {{"core", 2}});
  EXPECT_EQ(outcome.solution.components.at(0).cardinality(), 1);
  EXPECT_EQ(value_of(*covariance, outcome), 3);
}

/// The answer is not below that of tpower, and no exchange of two variables raises it, also if the
/// core has fewer than p variables, as for large p.
TEST(Search, IsNeverBelowTpowerAndEndsWhereNoExchangeHelps) {
  for (std::uint64_t seed = 0; seed < trial::tries(6); ++seed) {
    Random random(seed);
    const Index p = 60;
    const auto covariance = seed % 2 == 0
                                ? make_covariance(sparse_data(50, p, random), {.centered = false})
                                : make_covariance(trial::random_matrix(20, p, random), DataForm{});
    for (const Index k : {2, 5, 9}) {
      for (const Index core : {1, 30, 1000}) {
        SCOPED_TRACE(fmt::format("seed={} k={} core={}", seed, k, core));
        const SolveOutcome outcome = solve_with("search", covariance, k, {{"core", core}});
        const double value = value_of(*covariance, outcome);
        EXPECT_GE(value,
                  value_of(*covariance, solve_with("tpower", covariance, k, Json::object())));
        const Support& support = outcome.solution.components[0].support;
        for (std::size_t out = 0; out < support.size(); ++out) {
          for (Index in = 0; in < p; ++in) {
            Support next = support;
            if (std::find(next.begin(), next.end(), in) == next.end()) {
              next[out] = in;
              std::sort(next.begin(), next.end());
              EXPECT_LE(symmetric_eigenvalues(covariance->submatrix(next)).maxCoeff(),
                        value * (1 + kTolerance));
            }
          }
        }
      }
    }
  }
}

TEST(Search, AnswerDoesNotDependOnThreads) {
  Random random(3);
  const auto covariance = make_covariance(trial::random_matrix(40, 80, random), DataForm{});
  for (const Index core : {20, 1000}) {
    const SolveOutcome one = solve_with("search", covariance, 6, {{"core", core}}, 1);
    for (const int threads : {2, 5}) {
      const SolveOutcome more = solve_with("search", covariance, 6, {{"core", core}}, threads);
      EXPECT_EQ(more.solution.components[0].support, one.solution.components[0].support);
      EXPECT_EQ(more.solution.components[0].values, one.solution.components[0].values);
      EXPECT_EQ(more.cost.iterations, one.cost.iterations);
      EXPECT_EQ(more.cost.products, one.cost.products);
      EXPECT_EQ(more.solution.facts, one.solution.facts);
    }
  }
}

/// With `rounds` 0 the search continues until the budget ends, and a larger budget is never worse.
TEST(Search, GoesOnUntilTheBudgetEndsAndNeverFalls) {
  Random random(11);
  const Matrix matrix = random_correlation(60, random);
  const auto covariance = make_explicit_covariance(matrix);
  const SolverEntry& solver = SolverRegistry::instance().get("search", "");
  const Json options = solver.complete_options({{"rounds", 0}}, "");
  double before = 0;
  // The first solver takes fewer iterations than the least of these, so that one run is the
  // beginning of the next.
  for (const Index iterations : {100, 150, 200, 400}) {
    Budget budget({.iterations = iterations, .trace = true});
    const Problem problem{.covariance = *covariance, .cardinality = {8}, .seed = 1};
    const Solution solution = solver.solve(problem, options, budget);
    EXPECT_EQ(solution.status, Status::kIterationLimit);
    const double value = covariance->quadratic_form(solution.components.at(0));
    EXPECT_GE(value, before);
    before = value;
    double last = 0;
    for (const TracePoint& point : budget.trace()) {
      if (point.iteration > budget.iterations() - iterations && point.objective > 0) {
        EXPECT_GE(point.objective, last);
        last = point.objective;
      }
    }
  }
}

/// The core of bipart-ascent, 600 variables, is too small for one component of these data, so it
/// takes the steps of `search`.
TEST(Search, ServesBipartAscentWithOneComponent) {
  Random random(2);
  const auto covariance = make_covariance(sparse_data(300, 3000, random), {.centered = false});
  constexpr Index k = 20;
  const double tpower = value_of(*covariance, solve_with("tpower", covariance, k, Json::object()));
  const double ascent =
      value_of(*covariance, solve_with("bipart-ascent", covariance, k, Json::object()));
  EXPECT_GE(ascent, tpower);
}

}  // namespace
}  // namespace spca::search_test

/// Compares greedy growth and swaps with plain versions that compute an eigenvalue for every
/// candidate.

#include <gtest/gtest.h>

#include "spca/covariance/covariance_explicit.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/solving/solve.h"
#include "tests/solver_testing.h"

namespace spca::local_search_test {
namespace {

// Eigenvalues of small matrices agree to about 1e-14; the rest is margin.
constexpr double kTolerance = 1e-9;

Solution solved(std::shared_ptr<const Covariance> covariance, Index k, const Json& options) {
  const SolverEntry& solver = SolverRegistry::instance().get("local-search", "");
  const SolveOutcome outcome = solve({.covariance = std::move(covariance),
                                      .solver = &solver,
                                      .options = solver.complete_options(options, ""),
                                      .cardinality = {k}});
  EXPECT_EQ(outcome.solution.status, Status::kConverged);
  return outcome.solution;
}

double value_of(const Matrix& matrix, const Support& support) {
  return symmetric_eigenvalues(principal_submatrix(matrix, support)).maxCoeff();
}

Matrix random_covariance(Index p, bool is_correlation, Random& random) {
  const Matrix data = trial::random_matrix(
      2 + static_cast<Index>(random.below(2 * static_cast<std::uint64_t>(p))), p, random);
  Matrix matrix = data.transpose() * data;
  if (is_correlation) {
    const Vector lengths = matrix.diagonal().cwiseSqrt();
    matrix = matrix.array() / (lengths * lengths.transpose()).array();
  }
  return 0.5 * (matrix + matrix.transpose());
}

/// Returns the value after k steps that each add the variable that makes the eigenvalue largest.
double plain_greedy(const Matrix& matrix, Index k) {
  Support support;
  double value = 0;
  while (std::ssize(support) < k) {
    Support best;
    value = 0;
    for (Index j = 0; j < matrix.rows(); ++j) {
      if (std::find(support.begin(), support.end(), j) != support.end()) {
        continue;
      }
      Support next = support;
      next.push_back(j);
      if (const double found = value_of(matrix, next); found > value) {
        value = found;
        best = next;
      }
    }
    support = best;
  }
  return value;
}

TEST(LocalSearch, GrowsAsAPlainGreedySearchDoes) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const Index p = 4 + static_cast<Index>(random.below(12));
    const Matrix matrix = random_covariance(p, false, random);
    const auto covariance = make_explicit_covariance(matrix);
    for (Index k = 1; k <= p; ++k) {
      const double expected = plain_greedy(matrix, k);
      const Solution solution = solved(covariance, k, {{"swaps", false}});
      EXPECT_NEAR(covariance->quadratic_form(solution.components.at(0)), expected,
                  kTolerance * expected)
          << "seed=" << seed << " k=" << k;
    }
  }
}

TEST(LocalSearch, EndsWhereNoSwapHelps) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const Index p = 4 + static_cast<Index>(random.below(8));
    const Matrix matrix = random_covariance(p, seed % 2 == 0, random);
    const auto covariance = make_explicit_covariance(matrix);
    const Vector optima = trial::optima_by_enumeration(matrix);
    for (const char* rule : {"first", "best"}) {
      for (Index k = 2; k <= p; ++k) {
        SCOPED_TRACE(fmt::format("seed={} k={} {}", seed, k, rule));
        const Solution solution = solved(covariance, k, {{"rule", rule}});
        const Component& component = solution.components.at(0);
        const double value = covariance->quadratic_form(component);
        EXPECT_GE(value, trial::fact(solution, "greedy_value") * (1 - trial::kRounding));
        EXPECT_LE(value, optima[k - 1] * (1 + trial::kRounding));
        EXPECT_GE(value, optima[k - 1] / static_cast<double>(k) * (1 - trial::kRounding));
        for (std::size_t out = 0; out < component.support.size(); ++out) {
          for (Index in = 0; in < p; ++in) {
            Support next = component.support;
            if (std::find(next.begin(), next.end(), in) == next.end()) {
              next[out] = in;
              EXPECT_LE(value_of(matrix, next), value * (1 + kTolerance));
            }
          }
        }
      }
    }
  }
}

/// The best swap of the greedy support, found by an eigenvalue for every pair.
TEST(LocalSearch, TheFirstSwapOfRuleBestIsTheBest) {
  int swapped = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Matrix matrix = random_covariance(10, false, random);
    const auto covariance = make_explicit_covariance(matrix);
    const Support greedy = solved(covariance, 4, {{"swaps", false}}).components.at(0).support;
    double best = value_of(matrix, greedy);
    for (std::size_t out = 0; out < greedy.size(); ++out) {
      for (Index in = 0; in < 10; ++in) {
        Support next = greedy;
        if (std::find(next.begin(), next.end(), in) == next.end()) {
          next[out] = in;
          best = std::max(best, value_of(matrix, next));
        }
      }
    }
    const Solution solution = solved(covariance, 4, {{"rule", "best"}});
    const double value = covariance->quadratic_form(solution.components.at(0));
    EXPECT_GE(value, best * (1 - kTolerance));
    if (trial::fact(solution, "swaps") == 1) {
      EXPECT_NEAR(value, best, kTolerance * best);
      ++swapped;
    }
  }
  EXPECT_GT(swapped, 10);
}

/// All variances are one, so the order of the variables must not change the value.
TEST(LocalSearch, StartsOfACorrelationMatrixDoNotDependOnTheOrder) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const Index p = 11;
    const Matrix matrix = random_covariance(p, true, random);
    Matrix moved(p, p);
    for (Index i = 0; i < p; ++i) {
      for (Index j = 0; j < p; ++j) {
        moved(4 * i % p, 4 * j % p) = matrix(i, j);
      }
    }
    for (const char* rule : {"first", "best"}) {
      const auto value = [&](const Matrix& given) {
        const auto covariance = make_explicit_covariance(given);
        return covariance->quadratic_form(solved(covariance, 4, {{"rule", rule}}).components.at(0));
      };
      EXPECT_NEAR(value(matrix), value(moved), kTolerance) << seed;
    }
  }
}

}  // namespace
}  // namespace spca::local_search_test

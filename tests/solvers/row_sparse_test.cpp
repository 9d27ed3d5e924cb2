/// Compares components on a common support with enumeration of all supports.

#include <gtest/gtest.h>

#include "spca/covariance/covariance_explicit.h"
#include "spca/solving/solve.h"
#include "tests/solver_testing.h"

namespace spca::row_sparse_test {
namespace {

// Eigenvalues of small matrices agree to about 1e-14; the rest is margin.
constexpr double kTolerance = 1e-9;

SolveOutcome solved(std::shared_ptr<const Covariance> covariance, std::vector<Index> cardinality,
                    const Json& options = Json::object()) {
  const SolverEntry& solver = SolverRegistry::instance().get("row-sparse", "");
  return solve({.covariance = std::move(covariance),
                .solver = &solver,
                .options = solver.complete_options(options, ""),
                .components = std::ssize(cardinality),
                .cardinality = cardinality});
}

double total(const Covariance& covariance, const std::vector<Component>& components) {
  double sum = 0;
  for (const Component& component : components) {
    sum += covariance.quadratic_form(component);
  }
  return sum;
}

/// Expects orthonormal loadings on at most k variables in all.
void expect_feasible(const std::vector<Component>& components, Index p, Index k) {
  Matrix v(p, std::ssize(components));
  for (Index j = 0; j < v.cols(); ++j) {
    v.col(j) = to_dense(components[static_cast<std::size_t>(j)], p);
  }
  EXPECT_LT((v.transpose() * v - Matrix::Identity(v.cols(), v.cols())).cwiseAbs().maxCoeff(),
            kTolerance);
  EXPECT_LE((v.rowwise().squaredNorm().array() > 0).count(), k);
}

TEST(RowSparse, IsTheOptimumOfAllSupports) {
  int optimal = 0;
  int cases = 0;
  for (std::uint64_t seed = 0; seed < trial::tries(30); ++seed) {
    Random random(seed);
    const Index p = 5 + static_cast<Index>(random.below(6));
    const auto covariance = trial::as_explicit(
        trial::random_matrix(3 + static_cast<Index>(random.below(12)), p, random));
    for (const Index r : {1, 2, 3}) {
      for (Index k = r; k <= p; ++k) {
        double optimum = 0;
        trial::for_each_support(p, k, [&](const Support& support) {
          const Vector values = symmetric_eigenvalues(covariance->submatrix(support));
          optimum = std::max(optimum, values.tail(r).sum());
        });
        const SolveOutcome outcome =
            solved(covariance, std::vector<Index>(static_cast<std::size_t>(r), k));
        ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
        expect_feasible(outcome.solution.components, p, k);
        const double value = total(*covariance, outcome.solution.components);
        EXPECT_LE(value, optimum * (1 + kTolerance));
        optimal += value >= optimum * (1 - kTolerance) ? 1 : 0;
        ++cases;
      }
    }
  }
  EXPECT_EQ(optimal, cases);
}

TEST(RowSparse, HopsLeaveSupportsThatNoSwapImproves) {
  int raised = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    const auto covariance = trial::as_covariance(trial::random_matrix(20, 60, random));
    const auto value = [&](Index patience) {
      const SolveOutcome outcome = solved(covariance, {6, 6}, {{"patience", patience}});
      return total(*covariance, outcome.solution.components);
    };
    const double without = value(0);
    const double with = value(100);
    EXPECT_GE(with, without * (1 - kTolerance));
    raised += with > without * (1 + kTolerance) ? 1 : 0;
  }
  EXPECT_GT(raised, 0);
}

/// If every swap is tried, none raises the sum at the end.
TEST(RowSparse, EndsWhereNoSwapHelps) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Index p = 14;
    const auto covariance = trial::as_covariance(trial::random_matrix(10, p, random));
    const SolveOutcome outcome = solved(covariance, {5, 5}, {{"tried", p}, {"starts", 0}});
    const double value = total(*covariance, outcome.solution.components);
    const Support& support = outcome.solution.components[0].support;
    ASSERT_EQ(support.size(), 5U);
    for (std::size_t out = 0; out < 5; ++out) {
      for (Index in = 0; in < p; ++in) {
        Support next = support;
        if (std::find(next.begin(), next.end(), in) == next.end()) {
          next[out] = in;
          std::sort(next.begin(), next.end());
          EXPECT_LE(symmetric_eigenvalues(covariance->submatrix(next)).tail(2).sum(),
                    value * (1 + kTolerance));
        }
      }
    }
  }
}

TEST(RowSparse, TakesTheLeastOfDifferentCardinalities) {
  Random random(2);
  const auto covariance = trial::as_covariance(trial::random_matrix(20, 9, random));
  const SolveOutcome outcome = solved(covariance, {6, 4});
  expect_feasible(outcome.solution.components, 9, 4);
}

/// An S that is semidefinite except for rounding may have a variance below -1. The variables of the
/// support must still rank behind it.
TEST(RowSparse, NoVariableEntersTheSupportTwice) {
  const auto covariance = make_explicit_covariance(Matrix(Vector{{1e9, 5e8, -50.0}}.asDiagonal()));
  const SolveOutcome outcome = solved(covariance, {2, 2});
  ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  expect_feasible(outcome.solution.components, 3, 2);
  EXPECT_NEAR(total(*covariance, outcome.solution.components), 1.5e9, 1);
}

TEST(RowSparse, SaysWhenTheComponentsDoNotFit) {
  Random random(2);
  const auto covariance = trial::as_covariance(trial::random_matrix(20, 9, random));
  const SolveOutcome outcome = solved(covariance, {4, 4, 2});
  EXPECT_EQ(outcome.solution.status, Status::kSkipped);
  EXPECT_NE(outcome.solution.message.find("3 orthogonal components"), std::string::npos);
}

}  // namespace
}  // namespace spca::row_sparse_test

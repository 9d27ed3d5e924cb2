/// Compares the Fantope relaxation with another solver of it, closed forms and feasible points.

#include <gtest/gtest.h>

#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/solving/solve.h"
#include "tests/dense_reference.h"
#include "tests/solver_testing.h"

namespace spca::fantope_test {
namespace {

constexpr double kGap = 1e-6;        // asked of the solver
constexpr double kTolerance = 1e-9;  // rounding of small eigenproblems

Matrix random_covariance(Index p, Random& random) {
  const Matrix data = trial::random_matrix(2 * p, p, random);
  const Matrix matrix = data.transpose() * data / static_cast<double>(2 * p);
  return 0.5 * (matrix + matrix.transpose());
}

Solution solved(const char* name, const Covariance& covariance, double penalty, Index r,
                Json options) {
  Budget budget;
  options["penalty"] = penalty;
  options["gap"] = kGap;
  return trial::run(name, covariance, options, r, budget);
}

TEST(Fantope, AgreesWithTheSemidefiniteRelaxationForOneComponent) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const auto covariance = make_explicit_covariance(
        random_covariance(4 + static_cast<Index>(random.below(6)), random));
    // No variable may be eliminated by dspca, which does so by a rule of its own.
    const double least = covariance->diagonal().minCoeff() / covariance->diagonal().maxCoeff();
    for (const double penalty : {0.0, 0.05, 0.15, 0.3}) {
      if (penalty >= least) {
        continue;
      }
      const Solution found = solved("fantope", *covariance, penalty, 1, Json::object());
      const Solution other = solved("dspca", *covariance, penalty, 1, Json::object());
      ASSERT_EQ(found.status, Status::kConverged);
      // Both enclose the same optimum. The block-coordinate method of dspca does not always close
      // so small a gap.
      EXPECT_LE(trial::fact(found, "primal"), trial::fact(other, "dual") + kTolerance);
      EXPECT_GE(trial::fact(found, "dual"), trial::fact(other, "primal") - kTolerance);
      EXPECT_LT(trial::fact(other, "dual") - trial::fact(other, "primal"), 1e-3);
    }
  }
}

/// Without a penalty the optimum is the sum of the r largest eigenvalues, at their eigenvectors.
TEST(Fantope, IsPrincipalComponentsWithoutAPenalty) {
  Random random(4);
  const Matrix matrix = random_covariance(8, random);
  const auto covariance = make_explicit_covariance(matrix);
  const Vector values = symmetric_eigenvalues(matrix);
  for (const Index r : {1, 2, 3}) {
    const Solution found = solved("fantope", *covariance, 0, r, {{"threshold", 0}});
    EXPECT_NEAR(trial::fact(found, "primal"), values.tail(r).sum(), kGap * values.sum());
    Matrix v(8, r);
    for (Index j = 0; j < r; ++j) {
      v.col(j) = to_dense(found.components.at(static_cast<std::size_t>(j)), 8);
    }
    const Matrix leading = symmetric_eigenpairs(matrix).vectors.rightCols(r);
    // Both span the same space: all singular values of the product of their bases are one.
    EXPECT_NEAR(singular_values(leading.transpose() * v).minCoeff(), 1, 1e-2);
  }
}

/// S is diagonal, so the optimum is the sum of the r largest variances, each less rho.
TEST(Fantope, TakesTheLargestVariancesOfADiagonalMatrix) {
  Vector variances(6);
  variances << 3, 9, 1, 7, 5, 2;
  const auto covariance = make_explicit_covariance(variances.asDiagonal());
  const Solution found = solved("fantope", *covariance, 0.2, 2, Json::object());
  EXPECT_NEAR(trial::fact(found, "primal"), 9 + 7 - 2 * 0.2 * 9, 1e-4);
  ASSERT_EQ(found.components.size(), 2U);
  EXPECT_EQ(found.components[0].support, Support({1}));
  EXPECT_EQ(found.components[1].support, Support({3}));
}

/// H = VV' is feasible for every orthonormal V, so its value is at most the dual value.
TEST(Fantope, DualIsAboveEveryFeasiblePoint) {
  for (std::uint64_t seed = 0; seed < 15; ++seed) {
    Random random(seed);
    const Index p = 7;
    const Matrix matrix = random_covariance(p, random);
    const auto covariance = make_explicit_covariance(matrix);
    for (const Index r : {1, 2, 3}) {
      const double penalty = 0.1;
      const Solution found = solved("fantope", *covariance, penalty, r, Json::object());
      ASSERT_EQ(found.status, Status::kConverged);
      const double dual = trial::fact(found, "dual");
      const double rho = trial::fact(found, "rho");
      EXPECT_DOUBLE_EQ(rho, penalty * matrix.diagonal().maxCoeff());
      double best = -1e300;
      const auto value = [&](const Matrix& v) {
        const Matrix h = v * v.transpose();
        return matrix.cwiseProduct(h).sum() - rho * h.cwiseAbs().sum();
      };
      for (int draw = 0; draw < 300; ++draw) {
        Matrix v = polar_factor(trial::random_matrix(p, r, random));
        // A few ascent steps bring the points near the optimum.
        for (int step = 0; step < 30; ++step) {
          const Matrix h = v * v.transpose();
          const Matrix next = polar_factor(v + 0.1 * (matrix * v - rho * h.cwiseSign() * v));
          if (value(next) <= value(v)) {
            break;
          }
          v = next;
        }
        best = std::max(best, value(v));
      }
      EXPECT_LE(best, dual + kTolerance);
      EXPECT_GE(trial::fact(found, "primal"), best - kGap * dual - kTolerance);
    }
  }
}

TEST(Fantope, CertificateIsNeverBelowTheOptimum) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const Matrix matrix = random_covariance(9, random);
    const auto covariance = make_explicit_covariance(matrix);
    const Vector optima = trial::optima_by_enumeration(matrix);
    for (const double penalty : {0.02, 0.1, 0.3, 0.6, 1.0}) {
      const Solution found = solved("fantope", *covariance, penalty, 1, Json::object());
      ASSERT_NE(found.certificate, nullptr);
      for (Index k = 1; k <= 9; ++k) {
        EXPECT_GE(found.certificate->check(*covariance, k), optima[k - 1] - kTolerance)
            << seed << " " << penalty << " " << k;
      }
    }
  }
}

/// Two groups of variables, each with a factor of its own: one component for each.
TEST(Fantope, SeparatesTwoGroupsAtOnce) {
  Random random(8);
  Matrix data = 0.3 * trial::random_matrix(200, 12, random);
  const Matrix factors = trial::random_matrix(200, 2, random);
  for (Index j = 0; j < 4; ++j) {
    data.col(j) += 1.2 * factors.col(0);
    data.col(7 + j) += factors.col(1);
  }
  const auto covariance = make_covariance(std::move(data), {});
  const SolverEntry& solver = SolverRegistry::instance().get("fantope", "");
  const SolveOutcome outcome = solve({.covariance = covariance,
                                      .solver = &solver,
                                      .options = solver.complete_options(Json::object(), ""),
                                      .components = 2,
                                      .cardinality = {4, 4}});
  ASSERT_EQ(outcome.solution.components.size(), 2U);
  EXPECT_EQ(outcome.solution.components[0].support, Support({0, 1, 2, 3}));
  EXPECT_EQ(outcome.solution.components[1].support, Support({7, 8, 9, 10}));
}

}  // namespace
}  // namespace spca::fantope_test

/// Tests expectation maximisation and its nonnegative and cumulative variants.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "spca/covariance/covariance_explicit.h"
#include "spca/solving/solve.h"
#include "tests/dense_reference.h"
#include "tests/solver_testing.h"

namespace spca::nsprcomp_test {
namespace {

constexpr double kTolerance = 1e-9;
// Iterations end at a relative change of 1e-14 of the objective. Loadings are then off by about
// 1e-7, the square root; the rest is margin.
constexpr double kIterated = 1e-5;

std::vector<Component> solved(std::shared_ptr<const Covariance> covariance,
                              std::vector<Index> cardinality, Json options) {
  const SolverEntry& solver = SolverRegistry::instance().get("nsprcomp", "");
  options["tolerance"] = trial::kTightTolerance;
  const SolveOutcome outcome = solve({.covariance = std::move(covariance),
                                      .solver = &solver,
                                      .options = solver.complete_options(options, ""),
                                      .components = std::ssize(cardinality),
                                      .cardinality = cardinality,
                                      .seed = 3});
  EXPECT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  return outcome.solution.components;
}

Matrix random_covariance(Index p, Random& random) {
  const Matrix data = trial::random_matrix(2 * p, p, random);
  const Matrix matrix = data.transpose() * data / static_cast<double>(2 * p);
  return 0.5 * (matrix + matrix.transpose());
}

/// At the best v >= 0 with support J, S_JJ v = lambda v with v > 0 on J. So the optimum is the
/// largest eigenvalue of any S_JJ, |J| <= k, that has a positive eigenvector.
double nonnegative_optimum(const Matrix& matrix, Index k) {
  double best = 0;
  for (Index size = 1; size <= k; ++size) {
    trial::for_each_support(matrix.rows(), size, [&](const Support& support) {
      const SymmetricEigenpairs pairs = symmetric_eigenpairs(matrix(support, support));
      for (Index i = 0; i < size; ++i) {
        const Vector v = pairs.vectors.col(i);
        if (v.minCoeff() > -1e-12 || v.maxCoeff() < 1e-12) {
          best = std::max(best, pairs.values[i]);
        }
      }
    });
  }
  return best;
}

TEST(Nsprcomp, NonnegativeLoadingsAreStationaryAndMostlyOptimal) {
  int optimal = 0;
  int cases = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const Index p = 4 + static_cast<Index>(random.below(5));
    const Matrix matrix = random_covariance(p, random);
    const auto covariance = make_explicit_covariance(matrix);
    for (Index k = 1; k <= p; ++k) {
      const Component v = solved(covariance, {k}, {{"nonnegative", true}}).at(0);
      EXPECT_GT(v.values.minCoeff(), 0);
      const double value = covariance->quadratic_form(v);
      const double optimum = nonnegative_optimum(matrix, k);
      EXPECT_LE(value, optimum * (1 + kTolerance));
      // S_JJ v = lambda v on the support.
      const Vector residual = matrix(v.support, v.support) * v.values - value * v.values;
      EXPECT_LT(residual.cwiseAbs().maxCoeff(), kIterated * value);
      optimal += value >= optimum * (1 - 1e-6) ? 1 : 0;
      ++cases;
    }
  }
  EXPECT_GE(optimal, cases * 3 / 4) << optimal << " of " << cases;
}

TEST(Nsprcomp, WithoutSignsItIsMostlyTheOptimum) {
  int optimal = 0;
  int cases = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const Index p = 4 + static_cast<Index>(random.below(7));
    const Matrix matrix = random_covariance(p, random);
    const auto covariance = make_explicit_covariance(matrix);
    const Vector optima = trial::optima_by_enumeration(matrix);
    for (Index k = 1; k <= p; ++k) {
      const double value =
          covariance->quadratic_form(solved(covariance, {k}, Json::object()).at(0));
      EXPECT_LE(value, optima[k - 1] * (1 + kTolerance));
      optimal += value >= optima[k - 1] * (1 - kTolerance) ? 1 : 0;
      ++cases;
    }
  }
  EXPECT_GE(optimal, cases * 3 / 4) << optimal << " of " << cases;
}

Matrix as_matrix(const std::vector<Component>& components, Index p) {
  Matrix v(p, std::ssize(components));
  for (Index j = 0; j < v.cols(); ++j) {
    v.col(j) = to_dense(components[static_cast<std::size_t>(j)], p);
  }
  return v;
}

/// Without sparsity and signs both variants find the span of the leading eigenvectors, and the
/// variant that computes one component after the other finds the eigenvectors themselves.
TEST(Nsprcomp, WithoutConstraintsItIsPrincipalComponents) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    Matrix matrix = random_covariance(7, random);
    matrix.diagonal() += Vector::LinSpaced(7, 0, 6);  // separates the eigenvalues
    const auto covariance = make_explicit_covariance(matrix);
    const Matrix leading = symmetric_eigenpairs(matrix).vectors.rightCols(2).rowwise().reverse();
    const auto found = solved(covariance, {7, 7}, Json::object());
    trial::expect_parallel(to_dense(found.at(0), 7), leading.col(0), 1e-4);
    trial::expect_parallel(to_dense(found.at(1), 7), leading.col(1), 1e-4);
    const auto together = solved(covariance, {7, 7}, {{"cumulative", true}});
    EXPECT_GT(singular_values(leading.transpose() * as_matrix(together, 7)).minCoeff(), 0.999);
  }
}

TEST(Nsprcomp, CumulativeComponentsKeepTheirConstraintsAndTheirDistance) {
  constexpr int kSeeds = trial::tries(10);
  double near = 0;
  double far = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const Matrix matrix = random_covariance(9, random);
    const auto covariance = make_explicit_covariance(matrix);
    const double largest = symmetric_eigenvalues(matrix).tail(2).sum();
    for (const double orthogonality : {0.01, 100.0}) {
      const auto found =
          solved(covariance, {5, 4},
                 {{"cumulative", true}, {"nonnegative", true}, {"orthogonality", orthogonality}});
      const Matrix v = as_matrix(found, 9);
      EXPECT_GE(v.minCoeff(), 0);
      // The variance of the span is at most that of the leading eigenvectors (Ky Fan).
      const Matrix span = orthonormal_basis(v, 1e-10);
      EXPECT_LE((span.transpose() * matrix * span).trace(), largest * (1 + kTolerance));
      (orthogonality < 1 ? near : far) += std::abs(v.col(0).dot(v.col(1)));
    }
  }
  EXPECT_LT(far, 0.05 * kSeeds);
  EXPECT_GT(near, far);
}

TEST(Nsprcomp, AComponentWithoutVarianceIsNone) {
  const SolverEntry& solver = SolverRegistry::instance().get("nsprcomp", "");
  const Vector u{{0.6, 0.48, 0.64}};
  const auto expect_no_second = [&](const Matrix& matrix, Index k, const Json& options) {
    SCOPED_TRACE(fmt::format("S_11 = {}, k = {}, {}", matrix(0, 0), k, options.dump()));
    const SolveOutcome outcome = solve({.covariance = make_explicit_covariance(matrix),
                                        .solver = &solver,
                                        .options = solver.complete_options(options, ""),
                                        .components = 2,
                                        .cardinality = {k, k}});
    EXPECT_EQ(outcome.solution.status, Status::kSkipped);
    EXPECT_EQ(outcome.solution.message, "component 2: no variance is left for it");
  };
  for (const bool nonnegative : {false, true}) {
    expect_no_second(u * u.transpose(), 3, {{"nonnegative", nonnegative}});
    for (const Index k : {1, 2}) {
      for (const bool cumulative : {false, true}) {
        expect_no_second(Vector{{1, 0, 0}}.asDiagonal(), k,
                         {{"nonnegative", nonnegative}, {"cumulative", cumulative}});
      }
    }
  }
}

}  // namespace
}  // namespace spca::nsprcomp_test

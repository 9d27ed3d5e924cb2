/// Tests the semidefinite relaxation under k Diag(X) - X psd: any dual matrix gives a bound, and
/// known optima are met where the relaxation is tight.

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "spca/base/random.h"
#include "spca/data/dataset.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/methods/relaxations/diagonal_relaxation.h"
#include "tests/solver_testing.h"

namespace spca::diagonal_relaxation_test {
namespace {

bool always() { return true; }

/// Returns a matrix whose first variance is positive, also if it is indefinite.
Matrix random_symmetric(Index p, Random& random, bool is_indefinite) {
  const Matrix data = trial::random_matrix(p, p, random);
  Matrix matrix = is_indefinite ? Matrix((data + data.transpose()) / 2) : data.transpose() * data;
  matrix(0, 0) = std::abs(matrix(0, 0));
  return matrix;
}

Matrix pitprops() {
  const Dataset dataset = DatasetRegistry::instance().get("pitprops", "").load(Json::object(), {});
  return dataset.covariance->submatrix(all_variables(dataset.covariance->variables()));
}

TEST(DiagonalRelaxation, AnyFactorGivesABound) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Index p = 2 + static_cast<Index>(random.below(6));
    const Matrix matrix = random_symmetric(p, random, seed % 2 == 0);
    const Matrix factor = trial::random_matrix(p, 1 + static_cast<Index>(random.below(4)), random);
    const Vector optima = trial::optima_by_enumeration(matrix);
    for (Index k = 1; k <= p; ++k) {
      EXPECT_GE(diagonal_bound(matrix, factor, k), optima[k - 1]) << seed << " " << k;
    }
  }
}

TEST(DiagonalRelaxation, BoundsEveryOptimumAndIsNoWorseThanTheLargestEigenvalue) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const Index p = 3 + static_cast<Index>(random.below(6));
    const Matrix matrix = random_symmetric(p, random, seed % 2 == 0);
    const double largest = symmetric_eigenvalues(matrix).maxCoeff();
    const Vector optima = trial::optima_by_enumeration(matrix);
    for (Index k = 1; k <= p; ++k) {
      const DiagonalBound bound = diagonal_relaxation(matrix, k, -1e300, always);
      EXPECT_GE(bound.value, optima[k - 1]) << seed << " " << k;
      EXPECT_LE(bound.value, largest + 1e-9 * std::abs(largest)) << seed << " " << k;
      EXPECT_EQ(diagonal_bound(matrix, bound.factor, k), bound.value);
    }
  }
}

/// At k = 1 the relaxation is the largest variance: Diag(X) - X is psd only for diagonal X.
TEST(DiagonalRelaxation, OneVariableHasItsVariance) {
  Random random(7);
  const Matrix matrix = random_symmetric(8, random, false);
  const double variance = matrix.diagonal().maxCoeff();
  EXPECT_NEAR(diagonal_relaxation(matrix, 1, 0, always).value, variance, 1e-4 * variance);
}

/// The certified optima of pit props. The relaxation meets those at k = 6, 7 and 9, and has a gap
/// at k = 4 and 5.
TEST(DiagonalRelaxation, MeetsTheOptimaOfPitPropsWhereItIsExact) {
  const Matrix matrix = pitprops();
  for (const auto& [k, optimum, gap] :
       std::vector<std::tuple<Index, double, double>>{{4, 2.93748, 0.023},
                                                      {5, 3.40615, 0.0012},
                                                      {6, 3.77096, 1e-5},
                                                      {7, 3.99619, 1e-5},
                                                      {9, 4.13865, 1e-5}}) {
    const double bound = diagonal_relaxation(matrix, k, 0, always).value;
    EXPECT_GE(bound, optimum - 5e-6);
    EXPECT_LE(bound, optimum * (1 + gap)) << k;
  }
}

TEST(DiagonalRelaxation, StopsWhenItIsToldToAndAtItsTarget) {
  Random random(3);
  const Matrix matrix = random_symmetric(10, random, false);
  const double largest = symmetric_eigenvalues(matrix).maxCoeff();
  EXPECT_NEAR(diagonal_relaxation(matrix, 3, 0, [] { return false; }).value, largest,
              1e-9 * largest);
  int iterations = 0;
  diagonal_relaxation(matrix, 3, largest * 1.1, [&] { return ++iterations > 0; });
  EXPECT_EQ(iterations, 0);
}

}  // namespace
}  // namespace spca::diagonal_relaxation_test

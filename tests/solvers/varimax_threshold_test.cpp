/// Compares the rotation with a simple structure computed by hand, and with a grid of angles in
/// each plane.

#include <cmath>

#include "spca/covariance/covariance_explicit.h"
#include "tests/solver_testing.h"

namespace spca::varimax_threshold_test {
namespace {

std::vector<Component> solved(const Covariance& covariance, std::vector<Index> cardinality,
                              const Json& options) {
  const SolverEntry& entry = SolverRegistry::instance().get("varimax-threshold", "solver");
  const Problem problem{.covariance = covariance,
                        .components = std::ssize(cardinality),
                        .cardinality = std::move(cardinality)};
  Budget budget;
  return entry.solve(problem, entry.complete_options(options, "/options"), budget).components;
}

TEST(VarimaxThreshold, FindsTheSimpleStructureOfTwoEigenvectors) {
  // Eigenvectors (1, 1, 1, 1) / 2 for 3 and (1, 1, -1, -1) / 2 for 2. Rotated by 45 degrees they
  // are (1, 1, 0, 0) and (0, 0, 1, 1), divided by the square root of 2.
  const Vector sum = Vector::Constant(4, 0.5);
  const Vector difference{{0.5, 0.5, -0.5, -0.5}};
  const auto covariance =
      make_explicit_covariance(3 * sum * sum.transpose() + 2 * difference * difference.transpose());
  const auto found =
      solved(*covariance, {2, 2}, {{"rank", 2}, {"scale", "unit"}, {"refit", false}});
  ASSERT_EQ(found.size(), 2U);
  std::vector<Support> supports = {found[0].support, found[1].support};
  std::sort(supports.begin(), supports.end());
  EXPECT_EQ(supports, (std::vector<Support>{{0, 1}, {2, 3}}));
  for (const Component& component : found) {
    EXPECT_NEAR(component.values.cwiseAbs().minCoeff(), std::sqrt(0.5), 1e-9);
    EXPECT_NEAR(covariance->quadratic_form(component), 2.5, 1e-9);
  }
}

TEST(VarimaxThreshold, WithoutRotationIsThresholdedPca) {
  const auto covariance = trial::as_covariance(trial::random_data(40, 9, 3));
  const SolverEntry& threshold = SolverRegistry::instance().get("threshold", "solver");
  for (Index k = 1; k <= 9; ++k) {
    Budget budget;
    const Problem problem{.covariance = *covariance, .cardinality = {k}};
    const Solution expected =
        threshold.solve(problem, threshold.complete_options(Json::object(), ""), budget);
    EXPECT_EQ(solved(*covariance, {k}, {{"rank", 1}}).at(0).support,
              expected.components.at(0).support);
  }
}

double criterion(const Matrix& b) {
  const Matrix squares = b.cwiseAbs2();
  double value = 0;
  for (Index j = 0; j < b.cols(); ++j) {
    value += squares.col(j).squaredNorm() -
             std::pow(squares.col(j).sum(), 2) / static_cast<double>(b.rows());
  }
  return value;
}

/// With all variables kept and eigenvectors of unit length, the answer is the rotated B.
TEST(VarimaxThreshold, NoPlaneHasABetterAngle) {
  constexpr int kAngles = 400;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto covariance = trial::as_covariance(trial::random_data(40, 9, seed));
    const auto found =
        solved(*covariance, {9, 9, 9}, {{"rank", 3}, {"scale", "unit"}, {"refit", false}});
    Matrix b(9, 3);
    for (Index j = 0; j < 3; ++j) {
      b.col(j) = to_dense(found.at(static_cast<std::size_t>(j)), 9);
    }
    EXPECT_NEAR((b.transpose() * b - Matrix::Identity(3, 3)).norm(), 0, 1e-10);
    const double value = criterion(b);
    for (Index i = 0; i < 3; ++i) {
      for (Index j = i + 1; j < 3; ++j) {
        for (int step = 1; step < kAngles; ++step) {
          const double angle = std::acos(-1.0) * step / kAngles;
          Matrix turned = b;
          turned.col(i) = std::cos(angle) * b.col(i) + std::sin(angle) * b.col(j);
          turned.col(j) = std::cos(angle) * b.col(j) - std::sin(angle) * b.col(i);
          EXPECT_LE(criterion(turned), value + 1e-10);
        }
      }
    }
  }
}

TEST(VarimaxThreshold, ReturnsNoComponentsIfTheRankOfSIsTooLow) {
  const Vector ones = Vector::Ones(3);
  const auto covariance = make_explicit_covariance(ones * ones.transpose());
  EXPECT_TRUE(solved(*covariance, {1, 1}, Json::object()).empty());
  EXPECT_EQ(solved(*covariance, {1}, Json::object()).size(), 1U);
}

}  // namespace
}  // namespace spca::varimax_threshold_test

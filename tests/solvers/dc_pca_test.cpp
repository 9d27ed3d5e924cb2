/// Compares DC-PCA with its formulas by hand, and tests the condition that its fixed points
/// satisfy.

#include <cmath>

#include "spca/covariance/covariance_explicit.h"
#include "tests/solver_testing.h"

namespace spca::dc_pca_test {
namespace {

constexpr double kEpsilon = 1e-3;  // the solver's default

TEST(DcPca, TakesRhoFromTheFirstStep) {
  const auto covariance = make_explicit_covariance(Matrix(Vector{{4.0, 1.0}}.asDiagonal()));
  Budget budget;
  const Solution found = trial::run("dc-pca", *covariance, {{"penalty", 0.5}}, 1, budget);
  EXPECT_EQ(found.components.at(0).support, Support{0});
  // u = e_1 and lambda_1 = 4, so that rho_e = 2 * 0.5 * 4 * (1 + e).
  const double rho = 4 * (1 + kEpsilon) * std::log(1 + 1 / kEpsilon);
  EXPECT_NEAR(trial::fact(found, "rho"), rho, 1e-9 * rho);
}

TEST(DcPca, EndsAtAFixedPointOfItsStep) {
  int sparse = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto covariance = trial::as_covariance(trial::random_data(10, 25, seed));
    Budget budget;
    const Solution found = trial::run(
        "dc-pca", *covariance,
        {{"penalty", 0.1}, {"tolerance", trial::kTightTolerance}, {"refit", false}}, 1, budget);
    const Vector v = to_dense(found.components.at(0), 25);
    Vector step;
    covariance->multiply(v, step);
    const double half_rho = trial::fact(found, "rho") / std::log(1 + 1 / kEpsilon) / 2;
    for (Index i = 0; i < 25; ++i) {
      const double threshold = half_rho / (std::abs(v[i]) + kEpsilon);
      step[i] = std::copysign(std::max(0.0, std::abs(step[i]) - threshold), step[i]);
    }
    trial::expect_parallel(v, step.normalized(), 10 * trial::kFixedPoint);
    sparse += found.components[0].cardinality() < 25 ? 1 : 0;
  }
  EXPECT_EQ(sparse, 20);
}

}  // namespace
}  // namespace spca::dc_pca_test

/// Compares the step of SCoTLASS with vectors computed by hand and with a whole circle of vectors,
/// and tests that its components are orthogonal.

#include <cmath>

#include "spca/covariance/covariance_explicit.h"
#include "spca/methods/ascent/bounded_direction.h"
#include "spca/solving/solve.h"
#include "tests/solver_testing.h"

namespace spca::scotlass_test {
namespace {

constexpr double kOrthogonal = 1e-12;  // as the harness asks
constexpr double kOfTheBound = 4e-7;   // as best() promises of bounds below 4

Component unit(const Vector& v) { return normalized(from_dense(v)); }

TEST(BoundedDirections, AreAsByHand) {
  // Orthogonal to (1, 1, 0), the vector nearest to (3, 1, 1) is (1, -1, 1) / sqrt(3).
  const std::vector<Component> earlier = {unit(Vector{{1.0, 1.0, 0.0}})};
  const double root = std::sqrt(1.0 / 3);
  const Vector wide =
      to_dense(BoundedDirections(earlier, 3, std::sqrt(3.0)).best(Vector{{3.0, 1.0, 1.0}}), 3);
  EXPECT_LT((wide - Vector{{root, -root, root}}).norm(), 1e-7);
  // w = (a, -a, b) with 2 a^2 + b^2 = 1 and 2 a + b = 1.5 has a = (6 +- sqrt(6)) / 12. Its product
  // with g is 3 a + b = a + 1.5.
  const Vector g{{4.0, 1.0, 1.0}};
  const double a = (6 + std::sqrt(6.0)) / 12;
  const Vector narrow = to_dense(BoundedDirections(earlier, 3, 1.5).best(g), 3);
  EXPECT_LT((narrow - Vector{{a, -a, 1.5 - 2 * a}}).norm(), 1e-7);
  // Only the third variable is left for a bound of 1.
  EXPECT_EQ(BoundedDirections(earlier, 3, 1).best(g).support, Support{2});
}

/// In three dimensions the unit vectors orthogonal to one component form a circle.
TEST(BoundedDirections, HaveTheLargestProductOfACircle) {
  constexpr int kAngles = 4000;
  constexpr double kBetweenAngles = 5e-3;
  Random random(7);
  int reached = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Vector q = trial::random_matrix(3, 1, random).col(0).normalized();
    const Vector g = trial::random_matrix(3, 1, random).col(0);
    const double bound = 1.2 + 0.5 * random.uniform();
    const Component found = BoundedDirections({unit(q)}, 3, bound).best(g);
    Vector a = Vector::Unit(3, 0) - q[0] * q;
    a.normalize();
    const Vector b{
        {q[1] * a[2] - q[2] * a[1], q[2] * a[0] - q[0] * a[2], q[0] * a[1] - q[1] * a[0]}};
    double best = -1;
    for (int step = 0; step < kAngles; ++step) {
      const double angle = 2 * std::acos(-1.0) * step / kAngles;
      const Vector w = std::cos(angle) * a + std::sin(angle) * b;
      if (w.lpNorm<1>() <= bound) {
        best = std::max(best, g.dot(w));
      }
    }
    if (found.support.empty()) {
      continue;  // no lambda gave a vector within the bound, although there may be one
    }
    EXPECT_NEAR(found.values.norm(), 1, kOrthogonal);
    EXPECT_NEAR(sparse_dot(found, q), 0, kOrthogonal);
    EXPECT_LE(found.values.lpNorm<1>(), bound + kOfTheBound);
    EXPECT_GE(sparse_dot(found, g), best - kBetweenAngles * g.norm()) << "trial " << trial;
    ++reached;
  }
  EXPECT_GE(reached, 50);
}

TEST(Scotlass, TakesTheAxesOfADiagonalMatrixInTheirOrder) {
  const auto covariance = make_explicit_covariance(Matrix(Vector{{2.0, 4.0, 3.0}}.asDiagonal()));
  const auto found = trial::loadings("scotlass", *covariance, {{"bound", 0}}, 3);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].support, Support{1});
  EXPECT_EQ(found[1].support, Support{2});
  EXPECT_EQ(found[2].support, Support{0});
}

TEST(Scotlass, ComponentsAreOrthogonalAndWithinTheirBounds) {
  int overlapping = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto covariance = trial::as_covariance(trial::random_data(10, 15, seed));
    for (const double fraction : {0.0, 0.1, 0.3, 0.6, 1.0}) {
      for (const bool refit : {false, true}) {
        const auto found =
            trial::loadings("scotlass", *covariance, {{"bound", fraction}, {"refit", refit}}, 4);
        Matrix v(15, 4);
        for (Index j = 0; j < 4; ++j) {
          const Component& component = found.at(static_cast<std::size_t>(j));
          ASSERT_FALSE(component.support.empty());
          v.col(j) = to_dense(component, 15);
          if (!refit) {
            EXPECT_LE(component.values.lpNorm<1>(),
                      1 + fraction * (std::sqrt(15.0) - 1) + kOfTheBound);
          }
        }
        EXPECT_LT((v.transpose() * v - Matrix::Identity(4, 4)).cwiseAbs().maxCoeff(), kOrthogonal);
        overlapping += (v.array() != 0).rowwise().count().maxCoeff() > 1 ? 1 : 0;
      }
    }
  }
  EXPECT_GE(overlapping, 50) << "disjoint components show little";
}

/// At a fixed point no vector within the constraints has a larger product with Sv.
TEST(Scotlass, EndsAtAFixedPointOfItsStep) {
  const double bound = 1 + 0.4 * (std::sqrt(12.0) - 1);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto covariance = trial::as_covariance(trial::random_data(10, 12, seed));
    const auto found = trial::loadings(
        "scotlass", *covariance,
        {{"bound", 0.4}, {"tolerance", trial::kTightTolerance}, {"refit", false}}, 3);
    std::vector<Component> earlier;
    for (const Component& component : found) {
      Vector product;
      covariance->multiply(component, product);
      const double value = sparse_dot(component, product);
      const Component next = BoundedDirections(earlier, 12, bound).best(product);
      EXPECT_LE(sparse_dot(next, product), value * (1 + trial::kFixedPoint));
      earlier.push_back(component);
    }
  }
}

TEST(Scotlass, IsTunedToCardinalitiesAndStaysOrthogonal) {
  const auto covariance = trial::as_covariance(trial::random_data(30, 12, 5));
  const SolverEntry& solver = SolverRegistry::instance().get("scotlass", "solver");
  const std::vector<Index> cardinality = {5, 4, 3};
  const SolveOutcome outcome = solve({.covariance = covariance,
                                      .solver = &solver,
                                      .options = solver.complete_options(Json::object(), ""),
                                      .components = 3,
                                      .cardinality = cardinality});
  ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  EXPECT_FALSE(outcome.truncated);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_LE(outcome.solution.components[j].cardinality(), cardinality[j]);
  }
}

TEST(Scotlass, SkipsMoreComponentsThanVariables) {
  const auto covariance = make_explicit_covariance(Matrix::Identity(2, 2));
  Budget budget;
  EXPECT_EQ(trial::run("scotlass", *covariance, Json::object(), 3, budget).status,
            Status::kSkipped);
}

}  // namespace
}  // namespace spca::scotlass_test

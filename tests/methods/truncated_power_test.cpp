/// The parts of the truncated power method by themselves.

#include "spca/methods/ascent/truncated_power.h"

#include <gtest/gtest.h>

#include <cmath>

#include "spca/covariance/covariance.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/power_fixed_points.h"
#include "spca/methods/ascent/power_starts.h"
#include "tests/solver_testing.h"

namespace spca::truncated_power_test {
namespace {

// Exceeds the rounding of a few operations on numbers of order one.
constexpr double kPowerRounding = 1e-12;

std::shared_ptr<const Covariance> random_covariance(std::uint64_t seed, Index p) {
  Random random(seed);
  return trial::as_covariance(trial::random_matrix(p, p, random));
}

Component unit(Index j) { return {.support = {j}, .values = Vector::Ones(1)}; }

TEST(TruncatedPower, TruncatedKeepsTheLargestEntriesAtUnitLength) {
  Vector w(5);
  w << 1, -4, 0, 3, -2;
  const Component two = truncated(w, 2);
  EXPECT_EQ(two.support, (Support{1, 3}));
  EXPECT_NEAR(two.values[0], -0.8, kPowerRounding);
  EXPECT_NEAR(two.values[1], 0.6, kPowerRounding);
  EXPECT_EQ(truncated(w, 5).support, (Support{0, 1, 3, 4}));
  EXPECT_TRUE(truncated(Vector::Zero(3), 2).support.empty());
}

TEST(TruncatedPower, StepsEndWhereTheSupportStays) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto s = random_covariance(seed, 12);
    const Component last = until_support_stays(*s, unit(0), 4, 1000);
    ASSERT_EQ(last.cardinality(), 4);
    PowerIterate iterate{.component = last, .product = {}};
    evaluate(*s, iterate);
    EXPECT_NEAR(iterate.value, s->quadratic_form(last), kPowerRounding * iterate.value);
    EXPECT_EQ(until_support_stays(*s, unit(0), 4, 1).values,
              truncated(s->columns({0}).col(0), 4).values);
  }
}

TEST(TruncatedPower, AscentsTogetherEndWhereEachEndsAlone) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto s = random_covariance(seed, 12);
    for (const int most_steps : {1, 2, 1000}) {
      std::vector<Component> starts;
      for (Index j = 0; j < 12; ++j) {
        starts.push_back(unit(j));
      }
      const std::vector<Component> ends =
          until_supports_stay(*s, starts, 4, most_steps, [] { return true; });
      ASSERT_EQ(ends.size(), starts.size());
      for (std::size_t t = 0; t < starts.size(); ++t) {
        const Component alone = until_support_stays(*s, starts[t], 4, most_steps);
        EXPECT_EQ(ends[t].support, alone.support);
        EXPECT_LT((ends[t].values - alone.values).norm(), kPowerRounding);
      }
    }
  }
}

TEST(TruncatedPower, AscentsThatAreStoppedLeaveNothing) {
  const auto s = random_covariance(1, 12);
  const std::vector<Component> ends =
      until_supports_stay(*s, {unit(0), unit(1)}, 4, 9, [] { return false; });
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_TRUE(ends[0].support.empty());
}

TEST(TruncatedPower, RuleDecidesBetweenTheComponentAndTheNext) {
  Matrix matrix(2, 2);
  matrix << 2, 1, 1, 2;
  const auto multiply = [&](const Component& v, Vector& w) {
    w = Vector::Zero(2);
    for (Index i = 0; i < v.cardinality(); ++i) {
      w += v.values[i] * matrix.col(v.support[static_cast<std::size_t>(i)]);
    }
  };
  const auto always = [](PowerStep step) {
    return [step](const Component&, const Vector&, const Component&) { return step; };
  };
  EXPECT_EQ(truncated_power(unit(0), 2, multiply, always(PowerStep::kKeep)).support, Support{0});
  EXPECT_EQ(truncated_power(unit(0), 2, multiply, always(PowerStep::kAccept)).support,
            (Support{0, 1}));
}

/// On diag(-4, 1) with entries of 0.5 off the diagonal, plain steps lower the value, and steps with
/// the shift raise it.
TEST(TruncatedPower, ShiftMakesStepsRiseOnIndefiniteMatrices) {
  Matrix matrix(2, 2);
  matrix << -4, 0.5, 0.5, 1;
  Component v{.support = {0, 1}, .values = Vector(2)};
  v.values << 0.28, 0.96;
  RisingSteps steps(2);
  const auto value = [&](const Component& x) {
    const Vector dense = to_dense(x, 2);
    return dense.dot(matrix * dense);
  };
  int repeats = 0;
  for (int step = 0; step < 200; ++step) {
    const Vector dense = to_dense(v, 2);
    const Component next =
        steps.from({.component = v, .product = matrix * dense, .value = value(v)});
    if (steps.has_fallen(value(v), value(next))) {
      ++repeats;
      continue;
    }
    EXPECT_GE(value(next), value(v) - kPowerRounding);
    v = next;
  }
  EXPECT_GT(repeats, 0);
  const double top = symmetric_eigenvalues(matrix)[1];
  EXPECT_NEAR(value(v), top, 1e-9);
}

TEST(PowerFixedPoints, ReachedPointsAreOptimalOnTheirSupportAndReachedOnce) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto s = random_covariance(seed, 10);
    Budget budget;
    PowerFixedPoints power(*s, 1e-9, budget);
    const PowerIterate found = power.reach(uniform_on({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), 3,
                                           PowerFixedPoints::Refits::kAtFixedPoints);
    ASSERT_EQ(found.component.cardinality(), 3);
    const Matrix inside = s->submatrix(found.component.support);
    EXPECT_NEAR(found.value, symmetric_eigenvalues(inside)[2], kPowerRounding * found.value);
    EXPECT_TRUE(power.reach(found.component, 3, PowerFixedPoints::Refits::kAtFixedPoints)
                    .component.support.empty());
  }
}

TEST(PowerStarts, PathHalvesFromEightTimesK) {
  EXPECT_EQ(path_cardinalities(5, 1000), (std::vector<Index>{40, 20, 10}));
  EXPECT_EQ(path_cardinalities(5, 13), (std::vector<Index>{13, 6}));
  EXPECT_TRUE(path_cardinalities(5, 5).empty());
}

TEST(PowerStarts, FactorRowsAreThoseOfTheCovariance) {
  const auto s = random_covariance(3, 6);
  const std::vector<Component> rows = factor_rows(*s, 6, 2, 6);
  ASSERT_EQ(rows.size(), 6U);
  const Vector column = s->columns({2}).col(0).normalized();
  EXPECT_NEAR((to_dense(rows[0], 6) - column).norm(), 0, kPowerRounding);
  // Each later row is zero at the first pivot.
  for (std::size_t t = 1; t < rows.size(); ++t) {
    EXPECT_NEAR(to_dense(rows[t], 6)[2], 0, kPowerRounding);
  }
}

}  // namespace
}  // namespace spca::truncated_power_test

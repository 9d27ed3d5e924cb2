/// Tests the nets of directions and the choices made from them.

#include "spca/methods/joint/span_directions.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/solver_testing.h"

namespace spca::span_directions_test {
namespace {

// Exceeds the rounding of products of a few numbers of order one.
constexpr double kRounding = 1e-12;

TEST(HalfSphereNet, IsWithinHalfEpsilonOfEveryDirection) {
  for (const auto& [d, epsilon] :
       {std::pair<Index, double>{1, 0.5}, {2, 0.1}, {3, 0.4}, {4, 0.8}}) {
    const Matrix net = half_sphere_net(d, epsilon);
    EXPECT_EQ(static_cast<double>(net.cols()), net_points(d, epsilon));
    EXPECT_LT((net.colwise().norm().array() - 1).abs().maxCoeff(), kRounding);
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const Vector c = trial::random_matrix(d, 1, seed).col(0).normalized();
      // c and -c are the same direction.
      const double nearest = std::min((net.colwise() - c).colwise().norm().minCoeff(),
                                      (net.colwise() + c).colwise().norm().minCoeff());
      EXPECT_LE(nearest, epsilon / 2 + kRounding) << d << " seed " << seed;
    }
  }
}

TEST(NetDirections, GenerateEachChoiceOnce) {
  const Matrix net = half_sphere_net(2, 0.9);
  for (const std::vector<Index>& cardinality :
       {std::vector<Index>{3}, {3, 3}, {3, 2}, {3, 3, 2}, {4, 4, 4}}) {
    const Directions next = net_directions(net, cardinality);
    std::set<std::vector<double>> seen;
    Matrix c;
    while (next(c)) {
      // Sorted, so that choices that only exchange columns of equal cardinality are equal.
      std::vector<std::vector<double>> columns;
      for (Index j = 0; j < c.cols(); ++j) {
        columns.push_back(
            {static_cast<double>(cardinality[static_cast<std::size_t>(j)]), c(0, j), c(1, j)});
      }
      std::sort(columns.begin(), columns.end());
      std::vector<double> all;
      for (const std::vector<double>& column : columns) {
        all.insert(all.end(), column.begin(), column.end());
      }
      EXPECT_TRUE(seen.insert(all).second);
    }
    EXPECT_EQ(static_cast<double>(seen.size()),
              net_choices(static_cast<double>(net.cols()), cardinality));
  }
}

TEST(RandomDirections, DependOnTheirNumberAlone) {
  const auto covariance = trial::as_explicit(trial::random_data(5, 4, 1));
  const Problem problem{.covariance = *covariance, .components = 3, .seed = 2};
  const Directions few = random_directions(problem, 2, 2);
  const Directions many = random_directions(problem, 2, 3);
  Matrix a;
  Matrix b;
  for (int draw = 0; draw < 2; ++draw) {
    ASSERT_TRUE(few(a) && many(b));
    EXPECT_EQ(a, b);
    EXPECT_LT((a.colwise().norm().array() - 1).abs().maxCoeff(), kRounding);
  }
  EXPECT_FALSE(few(a));
  EXPECT_TRUE(many(b));
  EXPECT_NE(a, b);
}

}  // namespace
}  // namespace spca::span_directions_test

/// Tests alternating manifold proximal gradient against its optimality conditions and against
/// another method for the same criterion.

#include <gtest/gtest.h>

#include <cmath>

#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/solving/solve.h"
#include "tests/dense_reference.h"
#include "tests/solver_testing.h"

namespace spca::amanpg_test {
namespace {

// Tolerance of the optimality conditions. A method that stops at a relative fall of 1e-14 is off by
// about 1e-7, the square root; the rest is margin.
constexpr double kStationary = 1e-5;

Matrix random_covariance(Index p, Random& random) {
  const Matrix data = trial::random_matrix(2 * p, p, random);
  const Matrix matrix = data.transpose() * data / static_cast<double>(2 * p);
  return 0.5 * (matrix + matrix.transpose());
}

double soft(double x, double level) { return std::copysign(std::max(std::abs(x) - level, 0.0), x); }

Solution solved(const Covariance& covariance, double penalty, double ridge, Index r) {
  Budget budget;
  return trial::run("amanpg", covariance,
                    {{"penalty", penalty},
                     {"ridge", ridge},
                     {"tolerance", trial::kTightTolerance},
                     {"refit", false}},
                    r, budget);
}

/// For one component a = Sb / ||Sb||, and the direction of b determines its length. Then
/// (Sa - Sb - weight b)_i = level sign(b_i) for i in the support of b, and |(Sa - Sb)_i| <= level
/// for the other i.
TEST(Amanpg, OneComponentMeetsTheOptimalityConditions) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Matrix s = random_covariance(9, random);
    const auto covariance = make_explicit_covariance(s);
    const Vector leading = symmetric_eigenpairs(s).vectors.rightCols(1);
    for (const double ridge : {0.1, 1.0, 10.0}) {
      for (const double penalty : {0.0, 0.1, 0.3, 0.6}) {
        SCOPED_TRACE(fmt::format("seed={} ridge={} penalty={}", seed, ridge, penalty));
        const Solution solution = solved(*covariance, penalty, ridge, 1);
        ASSERT_EQ(solution.status, Status::kConverged);
        const Vector v = to_dense(solution.components.at(0), 9);
        ASSERT_GT(v.norm(), 0);
        const double level = penalty * (s * leading).cwiseAbs().maxCoeff();
        const double weight = ridge * s.diagonal().maxCoeff();
        const Vector a = (s * v).normalized();
        const double scale = (a.dot(s * v) - level * v.lpNorm<1>()) / (v.dot(s * v) + weight);
        ASSERT_GT(scale, 0);
        const Vector b = scale * v;
        const Vector slope = s * a - s * b - weight * b;
        const double unit = (s * a).cwiseAbs().maxCoeff();
        for (Index i = 0; i < 9; ++i) {
          if (v[i] != 0) {
            EXPECT_NEAR(slope[i], std::copysign(level, v[i]), kStationary * unit);
          } else {
            EXPECT_LE(std::abs(slope[i]), level + kStationary * unit);
          }
        }
      }
    }
  }
}

/// Returns the criterion at the end of Zou, Hastie and Tibshirani's alternation with exact steps on
/// a dense S.
double plain_alternation(const Matrix& s, const Vector& levels, double weight, Index r) {
  const Index p = s.rows();
  Matrix a = symmetric_eigenpairs(s).vectors.rightCols(r).rowwise().reverse();
  Matrix b = Matrix::Zero(p, r);
  double value = 0;
  for (int round = 0; round < 3000; ++round) {
    for (Index j = 0; j < r; ++j) {
      const Vector target = s * a.col(j);
      for (int sweep = 0; sweep < 200; ++sweep) {
        const Vector before = b.col(j);
        for (Index i = 0; i < p; ++i) {
          const double rest = target[i] - s.row(i).dot(b.col(j)) + s(i, i) * b(i, j);
          b(i, j) = soft(rest, levels[j]) / (s(i, i) + weight);
        }
        if ((b.col(j) - before).norm() < 1e-13) {
          break;
        }
      }
    }
    if (b.norm() > 0) {
      a = polar_factor(s * b);
    }
    const double before = value;
    value = -2 * a.cwiseProduct(s * b).sum() + b.cwiseProduct(s * b).sum() +
            weight * b.squaredNorm() + 2 * b.cwiseAbs().colwise().sum().dot(levels);
    if (std::abs(before - value) <= 1e-14 * std::abs(value)) {
      break;
    }
  }
  return value;
}

TEST(Amanpg, EndsAtTheCriterionOfAnExactAlternation) {
  int equal = 0;
  constexpr int kSeeds = 20;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    Matrix s = random_covariance(8, random);
    s.diagonal() += Vector::LinSpaced(8, 0, 3);  // separates the eigenvalues
    const auto covariance = make_explicit_covariance(s);
    const Matrix start = symmetric_eigenpairs(s).vectors.rightCols(2).rowwise().reverse();
    const double penalty = 0.15;
    const Vector levels = penalty * (s * start).cwiseAbs().colwise().maxCoeff().transpose();
    const double expected = plain_alternation(s, levels, s.diagonal().maxCoeff(), 2);
    const double found = trial::fact(solved(*covariance, penalty, 1, 2), "criterion");
    ASSERT_LT(expected, 0);
    // Neither is a global method; they may end at different local minima.
    EXPECT_NEAR(found, expected, 0.05 * std::abs(expected));
    equal += std::abs(found - expected) <= 1e-4 * std::abs(expected) ? 1 : 0;
  }
  EXPECT_GE(equal, kSeeds * 9 / 10);
}

TEST(Amanpg, EveryStepLowersTheCriterion) {
  Random random(3);
  const auto covariance = make_covariance(trial::random_matrix(15, 40, random), DataForm{});
  double before = 1e300;
  for (const Index iterations : {1, 2, 3, 5, 8, 13, 50}) {
    Budget budget({.iterations = iterations});
    const double value = trial::fact(
        trial::run("amanpg", *covariance, {{"tolerance", 0}, {"penalty", 0.3}}, 3, budget),
        "criterion");
    EXPECT_LE(value, before + 1e-12 * std::abs(value));
    before = value;
  }
}

TEST(Amanpg, APenaltyOfOneLeavesOneVariableAndNoneLeavesAll) {
  Random random(4);
  const auto covariance = make_explicit_covariance(random_covariance(6, random));
  // The last loading shrinks from step to step and does not become zero.
  EXPECT_LE(solved(*covariance, 1, 1, 1).components.at(0).support.size(), 1U);
  EXPECT_EQ(solved(*covariance, 0, 1, 1).components.at(0).support.size(), 6U);
}

}  // namespace
}  // namespace spca::amanpg_test

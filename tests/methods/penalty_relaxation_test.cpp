/// Compares values and dual columns of the relaxation that the solver `homotopy` uses with their
/// definitions, and its gradients with finite differences.

#include <algorithm>

#include "spca/dense/dense_decompositions.h"
#include "spca/methods/relaxations/penalty_relaxation.h"
#include "tests/solver_testing.h"

namespace spca::penalty_relaxation_test {
namespace {

using namespace trial;

TEST(PenaltyRelaxation, ValuesAreThoseOfTheDefinitions) {
  Random random(1);
  for (const auto& [n, p] : {std::pair<Index, Index>{6, 9}, {9, 6}}) {
    const auto covariance = as_covariance(random_matrix(n, p, random));
    for (const double rho : {0.0, 0.3, 2.0}) {
      const PenaltyRelaxation relaxation(*covariance, rho);
      for (const Index q : {1, 2, 5}) {
        const Matrix y = random_matrix(relaxation.dimension(), q, random).normalized();
        double convex = 0;
        double concave = 0;
        for (Index i = 0; i < relaxation.factor().cols(); ++i) {
          const Vector b = y.transpose() * relaxation.factor().col(i);
          convex += std::max(b.squaredNorm() - relaxation.rho(), 0.0);
          const Matrix term = b * b.transpose() - relaxation.rho() * y.transpose() * y;
          concave += std::max(symmetric_eigenvalues(term)[q - 1], 0.0);
        }
        EXPECT_NEAR(relaxation.value(y, 1), convex, kRounding * (1 + convex));
        EXPECT_NEAR(relaxation.value(y, 0), concave, kRounding * (1 + concave));
        EXPECT_NEAR(relaxation.value(y, 0.25), 0.25 * convex + 0.75 * concave,
                    kRounding * (1 + convex));
      }
    }
  }
}

TEST(PenaltyRelaxation, GradientsAreThoseOfFiniteDifferences) {
  constexpr double kStep = 1e-6;
  constexpr double kDifference = 1e-7;  // kStep^2, and rounding / kStep
  Random random(2);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const Matrix data = random_matrix(7, 12, random);
    const auto covariance = repeat % 2 == 0 ? as_covariance(data) : as_explicit(data);
    const PenaltyRelaxation relaxation(*covariance, repeat % 5 == 0 ? 0.0 : 0.4);
    const Index q = 1 + repeat % 4;
    const Matrix y = random_matrix(relaxation.dimension(), q, random).normalized();
    const Matrix direction = random_matrix(relaxation.dimension(), q, random).normalized();
    for (const double mu : {0.0, 0.3, 1.0}) {
      Matrix gradient;
      const double value = relaxation.value(y, mu, &gradient);
      EXPECT_EQ(value, relaxation.value(y, mu));
      const double difference = (relaxation.value(y + kStep * direction, mu) -
                                 relaxation.value(y - kStep * direction, mu)) /
                                (2 * kStep);
      EXPECT_NEAR(gradient.cwiseProduct(direction).sum(), difference, kDifference);
    }
  }
}

/// The part of the gradient along the sphere is compared. The value is that of the definition.
TEST(PenaltyRelaxation, SmoothedValuesAndGradientsAgree) {
  constexpr double kStep = 1e-6;
  constexpr double kDifference = 1e-7;
  Random random(16);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto covariance = as_covariance(random_matrix(7, 12, random));
    const PenaltyRelaxation relaxation(*covariance, 0.4);
    const Index q = 1 + repeat % 7;
    const Matrix y = random_matrix(7, q, random).normalized();
    Matrix direction = random_matrix(7, q, random).normalized();
    direction -= direction.cwiseProduct(y).sum() * y;
    for (const double floor : {1e-3, 0.1}) {
      Matrix full(7, q + 7);
      full << y, std::sqrt(floor) * Matrix::Identity(7, 7);
      Matrix gradient;
      const double value = relaxation.smoothed_value(y, floor, &gradient);
      EXPECT_NEAR(value, relaxation.value(full, 0), kSameIterate * value);
      const auto at = [&](double step) {
        return relaxation.smoothed_value((y + step * direction).normalized(), floor);
      };
      EXPECT_NEAR(gradient.cwiseProduct(direction).sum(), (at(kStep) - at(-kStep)) / (2 * kStep),
                  kDifference);
    }
  }
}

TEST(PenaltyRelaxation, FactorsOfDataAndOfTheirCovarianceAreFactorsOfS) {
  Random random(3);
  for (const Index n : {5, 20}) {
    const Matrix data = random_matrix(n, 8, random);
    for (const auto& covariance : {as_covariance(data), as_explicit(data)}) {
      const PenaltyRelaxation relaxation(*covariance, 0.0);
      const Matrix product =
          relaxation.unit() * relaxation.factor().transpose() * relaxation.factor();
      EXPECT_LT((product - covariance->submatrix(relaxation.variables())).cwiseAbs().maxCoeff(),
                kSameIterate);
    }
  }
}

/// At every point h_i h_i' >= a_i a_i' - rho I, which makes lambda_max(HH') a bound.
TEST(PenaltyRelaxation, EveryDualColumnCoversItsTerm) {
  Random random(4);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const auto covariance = as_covariance(random_matrix(6, 10, random));
    const PenaltyRelaxation relaxation(*covariance, 0.2 * random.uniform());
    const Matrix y = random_matrix(relaxation.dimension(), 1 + repeat % 6, random);
    for (const double epsilon : {1e-7, 1e-2}) {
      const Matrix columns = relaxation.dual_columns(y, epsilon);
      const Matrix identity = Matrix::Identity(columns.rows(), columns.rows());
      for (Index i = 0; i < columns.cols(); ++i) {
        const Vector a = relaxation.factor().col(i);
        const Vector h = columns.col(i);
        const Matrix rest = h * h.transpose() - a * a.transpose() + relaxation.rho() * identity;
        EXPECT_GT(symmetric_eigenvalues(rest)[0], -kSameIterate * (1 + h.squaredNorm()));
      }
    }
  }
}

}  // namespace
}  // namespace spca::penalty_relaxation_test

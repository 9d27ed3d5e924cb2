/// Tests of the variance that a deflation leaves: rounding is not variance, and an indefinite S may
/// have variance without a positive S_jj.

#include "spca/spectrum/remaining_variance.h"
#include "spca/covariance/covariance_explicit.h"

#include <gtest/gtest.h>

#include <numeric>

#include "spca/base/random.h"
#include "spca/covariance/deflation.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/sparsify.h"
#include "spca/spectrum/cardinality_bound.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/low_rank.h"

namespace spca::remaining_variance_test {
namespace {

using CovariancePointer = std::shared_ptr<const Covariance>;

// Rounding of the eigenvalues of about ten variables, relative to ||S||.
constexpr double kRounding = 1e-12;

Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  Matrix matrix(rows, columns);
  for (double& entry : matrix.reshaped()) {
    entry = random.normal();
  }
  return matrix;
}

Matrix random_covariance(Index p, std::uint64_t seed) {
  const Matrix data = random_matrix(p, p, seed);
  const Matrix product = data.transpose() * data;
  return 0.5 * (product + product.transpose());
}

Matrix all_of(const Covariance& covariance) {
  Support all(static_cast<std::size_t>(covariance.variables()));
  std::iota(all.begin(), all.end(), Index{0});
  return covariance.submatrix(all);
}

CovariancePointer deflated(const std::string& name, CovariancePointer covariance,
                           const std::vector<Component>& components) {
  const DeflationEntry& deflation = DeflationRegistry::instance().get(name, "");
  for (const Component& component : components) {
    covariance = deflation.deflate(covariance, component);
  }
  return covariance;
}

Component on(Support support, const std::vector<double>& values) {
  const Eigen::Map<const Vector> map(values.data(), static_cast<Index>(values.size()));
  return normalized({.support = std::move(support), .values = map});
}

TEST(RemainingVariance, ShiftMakesEveryDeflationSemidefinite) {
  const std::vector<Component> components = {on({0, 3, 5}, {1, 2, -1}), on({3, 4}, {1, 1}),
                                             on({0, 1, 5}, {3, -1, 2})};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix matrix = random_covariance(7, seed);
    for (const std::string& name : DeflationRegistry::instance().names()) {
      const CovariancePointer left = deflated(name, make_explicit_covariance(matrix), components);
      const double least = symmetric_eigenvalues(all_of(*left))[0];
      EXPECT_GE(least + left->semidefinite_shift(), -kRounding * matrix.norm()) << name;
      EXPECT_EQ(left->semidefinite_shift() > 0, name == "hotelling") << name;
    }
  }
}

/// If v is an eigenvector, Hotelling's deflation leaves a semidefinite S, and the shift is
/// rounding.
TEST(RemainingVariance, ShiftIsRoundingForAnEigenvector) {
  const Matrix matrix = random_covariance(6, 3);
  const CovariancePointer covariance = make_explicit_covariance(matrix);
  const CovariancePointer left = deflated(
      "hotelling", covariance, {from_dense(leading_eigenpairs(*covariance, 1).vectors.col(0))});
  EXPECT_LE(left->semidefinite_shift(), 1e-12 * matrix.norm());
}

TEST(RemainingVariance, OneDeflationAfterAnotherKeepsTheShift) {
  const CovariancePointer covariance = make_explicit_covariance(random_covariance(6, 4));
  CovariancePointer left = deflated("hotelling", covariance, {on({0, 1}, {1, 2})});
  for (const std::string& name : DeflationRegistry::instance().names()) {
    const CovariancePointer more = deflated(name, left, {on({1, 4, 5}, {1, 1, -3})});
    const Matrix matrix = all_of(*more);
    EXPECT_GE(symmetric_eigenvalues(matrix)[0] + more->semidefinite_shift(),
              -kRounding * matrix.norm())
        << name;
  }
}

TEST(RemainingVariance, RoundingOfADeflationIsNone) {
  Vector signs(4);
  signs << 1, -1, 1, -1;
  // The variances of `scales` span many orders of magnitude: rounding is judged for each variable.
  Vector scales(4);
  scales << 1, 1e-7, 3e3, -2;
  for (const Vector& u : {signs, Vector(Vector::Ones(4)), Vector(1e-20 * signs), scales}) {
    const CovariancePointer covariance = make_explicit_covariance(u * u.transpose());
    const Component v = from_dense(u.normalized());
    for (const std::string& name : DeflationRegistry::instance().names()) {
      const CovariancePointer left = deflated(name, covariance, {v});
      EXPECT_TRUE(has_variance(*covariance));
      EXPECT_FALSE(has_variance(*left)) << name << ", u = " << u.transpose();
    }
  }
}

/// A small variance that no deflation has touched is not rounding, however large the others are.
TEST(RemainingVariance, SmallVariancesCountBesideLargeOnes) {
  Matrix matrix = Matrix::Identity(3, 3);
  matrix(0, 0) = 1e20;
  for (const std::string& name : DeflationRegistry::instance().names()) {
    const CovariancePointer left = deflated(name, make_explicit_covariance(matrix), {on({0}, {1})});
    EXPECT_TRUE(has_variance(*left)) << name;
    EXPECT_EQ(varying_variables(*left), (Support{1, 2})) << name;
  }
}

TEST(RemainingVariance, ZeroDiagonalOfAnIndefiniteS) {
  Matrix matrix = Matrix::Zero(4, 4);
  matrix.topLeftCorner(2, 2) << 1, 0.5, 0.5, 1;
  const CovariancePointer left =
      deflated("hotelling", make_explicit_covariance(matrix), {on({0}, {1}), on({1}, {1})});
  EXPECT_EQ(left->diagonal().cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(varying_variables(*left), (Support{0, 1}));
  EXPECT_TRUE(has_variance(*left));
  // Without the component (1, 1) of both variables, only a negative eigenvalue is left.
  EXPECT_FALSE(has_variance(*deflated("hotelling", left, {on({0, 1}, {1, 1})})));
}

TEST(RemainingVariance, BoundsHoldOnAnIndefiniteS) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Index p = 7;
    const CovariancePointer left =
        deflated("hotelling", make_explicit_covariance(random_covariance(p, seed)),
                 {on({0, 3, 5}, {1, 2, -1}), on({3, 4}, {1, 1}), on({1, 2}, {1, -1})});
    const Matrix matrix = all_of(*left);
    const double rounding = kRounding * matrix.norm();
    std::vector<Index> cardinalities(static_cast<std::size_t>(p));
    std::iota(cardinalities.begin(), cardinalities.end(), Index{1});
    // lambda_1 is not given. With work 0 all columns but one are bounded without being examined.
    for (const double work : {0.0, kLargestBoundWork}) {
      const auto bounds = cardinality_bounds(*left, cardinalities, kNotMeasured, work);
      const LowRank low_rank = low_rank_approximation(*left, 2);
      const Matrix reduced = reduced_factor(low_rank);
      for (unsigned mask = 1; mask < (1U << p); ++mask) {
        Support support;
        for (Index i = 0; i < p; ++i) {
          if ((mask >> i & 1U) != 0) {
            support.push_back(i);
          }
        }
        const double value = symmetric_eigenvalues(matrix(support, support)).maxCoeff();
        EXPECT_LE(value, bounds[support.size() - 1].value + rounding);
        EXPECT_LE(value, low_rank_value(reduced, support) + low_rank.residual + rounding);
      }
    }
  }
}

}  // namespace
}  // namespace spca::remaining_variance_test

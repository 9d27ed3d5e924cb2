/// Tests of the shift sigma for which S + sigma I is semidefinite if an accepted S is not, and of
/// the bounds that must allow for it.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "spca/base/random.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/deflation.h"
#include "spca/covariance/shifted_covariance.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/spectrum/cardinality_bound.h"
#include "spca/spectrum/remaining_variance.h"
#include "tests/dense_reference.h"

namespace spca::covariance_shift_test {
namespace {

// Tolerance of eigenvalues of order 1 of a few variables.
constexpr double kRounding = 1e-13;

/// Returns an S whose first two variables have the correlation 1 + `excess`; the others are
/// independent.
Matrix pair_above_one(Index p, double excess) {
  Matrix s = Matrix::Identity(p, p);
  s(0, 1) = s(1, 0) = 1 + excess;
  return s;
}

TEST(CovarianceShift, IsWhatTheSmallestEigenvalueLacks) {
  for (const double excess : {1e-12, 1e-10, 1e-8, 0.9e-7}) {
    for (const double unit : {1e-50, 1.0, 1e50}) {
      const auto covariance = make_explicit_covariance(unit * pair_above_one(3, excess));
      EXPECT_GE(covariance->semidefinite_shift(), 0.999 * unit * excess);
      EXPECT_LE(covariance->semidefinite_shift(), 1.001 * unit * excess + kRounding * unit);
    }
  }
  // For more variables the eigenvalue is not computed. The shift is then sufficient, and up to ten
  // times as large as necessary.
  const auto large = make_explicit_covariance(pair_above_one(1001, 1e-9));
  EXPECT_GE(large->semidefinite_shift(), 1e-9);
  EXPECT_LE(large->semidefinite_shift(), 1e-8 + 1e-11);
}

TEST(CovarianceShift, IsZeroIfOnlyRoundingSaysOtherwise) {
  Random random(1);
  Matrix data(3, 8);
  for (double& entry : data.reshaped()) {
    entry = random.normal();
  }
  EXPECT_EQ(make_explicit_covariance(data.transpose() * data)->semidefinite_shift(), 0);
  EXPECT_EQ(make_explicit_covariance(Matrix::Ones(5, 5))->semidefinite_shift(), 0);
  EXPECT_EQ(make_explicit_covariance(Matrix::Zero(2, 2))->semidefinite_shift(), 0);
}

TEST(CovarianceShift, BoundsCountIt) {
  // lambda_1 = 2 + 1e-8; the variances sum up to 2.
  const auto covariance = make_explicit_covariance(pair_above_one(2, 1e-8));
  const auto bounds = cardinality_bounds(*covariance, {1, 2}, kNotMeasured);
  EXPECT_GE(bounds[0].value, 1);
  EXPECT_GE(bounds[1].value, 2 + 1e-8);
}

/// With a shift, a variable without variance may still add to the value of a support.
TEST(CovarianceShift, KeepsAVariableThatVariesWithOthersAlone) {
  Matrix s(3, 3);
  s << 1, 1e-4, 0, 1e-4, 0, 0, 0, 0, 0;
  EXPECT_EQ(varying_variables(*make_explicit_covariance(s)), (Support{0, 1}));
}

TEST(CovarianceShift, OfASchurComplementStaysSmall) {
  Random random(7);
  for (int trial = 0; trial < 50; ++trial) {
    Matrix data(4, 6);
    for (double& entry : data.reshaped()) {
      entry = random.normal();
    }
    Matrix s = data.transpose() * data;
    s.diagonal().array() -= 3e-8 * s.diagonal().maxCoeff();
    const auto covariance = make_explicit_covariance(s);
    ASSERT_GT(covariance->semidefinite_shift(), 0);
    const SymmetricEigenpairs pairs = symmetric_eigenpairs(s);
    const Component v{.support = {0, 1, 2, 3, 4, 5}, .values = pairs.vectors.col(5)};
    const auto left = DeflationRegistry::instance().get("schur", "").deflate(covariance, v);
    Support all(6);
    std::iota(all.begin(), all.end(), Index{0});
    const double unit = s.diagonal().maxCoeff();
    EXPECT_GE(symmetric_eigenvalues(left->submatrix(all))[0] + left->semidefinite_shift(),
              -kRounding * unit * 10);
    EXPECT_LE(left->semidefinite_shift(), 1.001 * covariance->semidefinite_shift());
    EXPECT_FALSE(is_indefinite(*left));
  }
}

TEST(CovarianceShift, ShiftedCovarianceIsSAndTheShift) {
  const auto covariance = make_explicit_covariance(pair_above_one(3, 1e-8));
  const ShiftedCovariance shifted(*covariance);
  Matrix expected = pair_above_one(3, 1e-8);
  expected.diagonal().array() += covariance->semidefinite_shift();
  EXPECT_EQ(shifted.submatrix({0, 1, 2}), expected);
  EXPECT_EQ(shifted.columns({1}), expected.col(1));
  Vector product;
  shifted.multiply(Vector(Vector::Ones(3)), product);
  EXPECT_LE((product - expected.rowwise().sum()).norm(), kRounding);
  shifted.multiply(Component{.support = {1}, .values = Vector::Ones(1)}, product);
  EXPECT_LE((product - expected.col(1)).norm(), kRounding);
  EXPECT_EQ(&shifted.semidefinite(), &shifted);
}

}  // namespace
}  // namespace spca::covariance_shift_test

/// Tests eigenvalues that repeat more often than the block of an iteration has vectors.

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "spca/base/random.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/spectrum/all_copies.h"
#include "spca/spectrum/complement_bound.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/low_rank.h"
#include "spca/spectrum/spectrum.h"
#include "tests/sanitized.h"

namespace spca::repeated_eigenvalues_test {
namespace {

/// Rounding of sums of a few thousand terms, and of the bounds, relative to lambda_1.
constexpr double kRounding = 2e-13;

/// Returns p eigenvalues, descending: each value as often as its count, then `rest`.
Vector repeated(Index p, std::initializer_list<std::pair<double, Index>> groups, double rest = 1) {
  Vector values = Vector::Constant(p, rest);
  Index begin = 0;
  for (const auto& [value, count] : groups) {
    values.segment(begin, count).setConstant(value);
    begin += count;
  }
  return values;
}

/// Returns a matrix with these eigenvalues whose eigenvectors are not coordinates: a reflection on
/// both sides.
Matrix reflected(const Vector& values, std::uint64_t seed) {
  Random random(seed);
  Vector v = Vector::NullaryExpr(values.size(), [&random](Index) { return random.normal(); });
  v.normalize();
  const Vector scaled = values.cwiseProduct(v);
  Matrix s = values.asDiagonal();
  s += 4 * v.dot(scaled) * v * v.transpose() - 2 * scaled * v.transpose() -
       2 * v * scaled.transpose();
  return 0.5 * (s + s.transpose());
}

void expect_all_found(const Matrix& s, const Vector& values, Index count) {
  SCOPED_TRACE("p = " + std::to_string(s.rows()) + ", count = " + std::to_string(count));
  const auto covariance = make_explicit_covariance(s);
  const double largest = values[0];
  const Vector expected = values.head(count);
  const Eigenpairs pairs = leading_eigenpairs(*covariance, count);
  EXPECT_LE((pairs.values - expected).cwiseAbs().maxCoeff(), kRounding * largest);
  EXPECT_GE((pairs.upper - expected).minCoeff(), 0);
  EXPECT_LE((pairs.upper - expected).maxCoeff(), kRounding * largest);
  EXPECT_LE((s * pairs.vectors - pairs.vectors * pairs.values.asDiagonal()).norm(),
            1e-11 * largest);
  EXPECT_LE((pairs.vectors.transpose() * pairs.vectors - Matrix::Identity(count, count)).norm(),
            1e-12 * static_cast<double>(count));
  EXPECT_GE(pairs.rest, values[count] - kRounding * largest);
  const Vector bounds = leading_eigenvalues(*covariance, count);
  EXPECT_GE((bounds - expected).minCoeff(), 0);
  EXPECT_LE((bounds - expected).maxCoeff(), kRounding * largest);
  const LowRank low_rank = low_rank_approximation(*covariance, count);
  EXPECT_GE(low_rank.residual, std::max(values[count], 0.0));
}

TEST(RepeatedEigenvalues, SLOW_AreAllFoundForAnySizeAndNumber) {
  for (const Index p : {301, 1100, 2050}) {
    if (trial::kSanitized && p > 1100) {
      continue;  // the same code, but it takes half a minute
    }
    const Vector few = repeated(p, {{3, 8}, {2, 8}});
    expect_all_found(few.asDiagonal(), few, 8);
    expect_all_found(few.asDiagonal(), few, 9);
    expect_all_found(reflected(few, 5), few, 8);
    const Vector many = repeated(p, {{5, 30}});
    expect_all_found(many.asDiagonal(), many, 10);
    expect_all_found(many.asDiagonal(), many, 33);
    const Vector singular = repeated(p, {{4, 27}}, 0);
    expect_all_found(singular.asDiagonal(), singular, 2);
    expect_all_found(reflected(singular, 6), singular, 1);
    const Vector equal = Vector::Ones(p);
    expect_all_found(equal.asDiagonal(), equal, 5);
  }
}

TEST(RepeatedEigenvalues, OfEqualBlocksAreAllFound) {
  for (const Index blocks : {61, 402}) {
    Random random(3);
    const Matrix x = Matrix::NullaryExpr(5, 5, [&random](Index, Index) { return random.normal(); });
    const Matrix block = x.transpose() * x;
    const Vector of_block = symmetric_eigenvalues(block).reverse();
    Matrix s = Matrix::Zero(5 * blocks, 5 * blocks);
    Vector values(5 * blocks);
    for (Index b = 0; b < blocks; ++b) {
      s.block(5 * b, 5 * b, 5, 5) = block;
      for (Index i = 0; i < 5; ++i) {
        values[i * blocks + b] = of_block[i];
      }
    }
    const auto covariance = make_explicit_covariance(s);
    for (const Index count : {1, 6}) {
      const Vector bounds = leading_eigenvalues(*covariance, count);
      EXPECT_GE((bounds - values.head(count)).minCoeff(), -1e-15 * values[0]);
      EXPECT_LE((bounds - values.head(count)).maxCoeff(), kRounding * values[0]);
    }
  }
}

/// 60 diagonal matrices of few distinct integers, in random order.
TEST(RepeatedEigenvalues, OfRandomDiagonalsAreAllFound) {
  Random random(7);
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(trial);
    const Index p = 301 + static_cast<Index>(random.below(100));
    const std::uint64_t distinct = 2 + random.below(5);
    Vector diagonal(p);
    for (double& value : diagonal) {
      value = static_cast<double>(1 + random.below(distinct) * random.below(30) / 29);
    }
    const auto covariance = make_explicit_covariance(diagonal.asDiagonal());
    std::sort(diagonal.begin(), diagonal.end(), std::greater<>());
    const Index count = 1 + static_cast<Index>(random.below(20));
    const Vector bounds = leading_eigenvalues(*covariance, count);
    EXPECT_GE((bounds - diagonal.head(count)).minCoeff(), 0);
    EXPECT_LE((bounds - diagonal.head(count)).maxCoeff(), kRounding * diagonal[0]);
  }
}

TEST(RepeatedEigenvalues, SpectrumKnowsThemAll) {
  const Vector values = repeated(301, {{3, 8}, {2, 8}});
  const auto covariance = make_explicit_covariance(values.asDiagonal());
  const Spectrum spectrum(*covariance);
  EXPECT_NEAR(spectrum.leading(8).head(8).sum(), 24, 24 * kRounding);
  EXPECT_GE(spectrum.leading(8).head(8).sum(), 24);
}

TEST(ComplementBound, FindsMissingEigenvaluesBesideTheFoundOnes) {
  const Index p = 400;
  const Vector values = repeated(p, {{3, 8}, {2, 8}});
  const auto covariance = make_explicit_covariance(values.asDiagonal());
  // Seven of the eight vectors of the value 3, and one of the value 2.
  RitzSpace found;
  found.pairs.vectors = Matrix::Identity(p, 9);
  found.pairs.vectors.col(7) = Vector::Unit(p, 8);
  found.pairs.vectors.conservativeResize(Eigen::NoChange, 8);
  found.pairs.values = Vector::Constant(8, 3);
  found.pairs.values[7] = 2;
  found.products = found.pairs.vectors * found.pairs.values.asDiagonal();
  const ComplementBound bound =
      bound_complement(operator_of(*covariance), found, 0, 2 + 1e-12, 1e-12);
  ASSERT_EQ(bound.missed.basis.cols(), 1);
  EXPECT_NEAR(std::abs(bound.missed.basis(7, 0)), 1, 1e-6);
}

/// The bound is at least the largest eigenvalue, and at most the goal or that eigenvalue plus about
/// the accepted excess, for spectra with and without a gap. 100 draws each: the probability of any
/// failure is 3e-12.
TEST(ComplementBound, SLOW_IsNeverBelowTheLargestEigenvalueOfTheComplement) {
  const Index p = 350;
  Vector flat(p), power(p);
  for (Index i = 0; i < p; ++i) {
    flat[i] = 1 - static_cast<double>(i) / static_cast<double>(p);
    power[i] = 1 / static_cast<double>(i + 1);
  }
  for (const Vector& values : {flat, power, repeated(p, {{3, 8}, {2, 8}})}) {
    const auto covariance = make_explicit_covariance(values.asDiagonal());
    RitzSpace found;
    found.pairs.vectors = Matrix::Identity(p, 1);
    found.pairs.values = values.head(1);
    found.products = found.pairs.vectors * values[0];
    for (int draw = 0; draw < trial::tries(100); ++draw) {
      const double accepted = std::pow(10.0, -1 - draw % 10);
      const ComplementBound bound =
          bound_complement(operator_of(*covariance), found, draw, values[0] * 0.5, accepted);
      EXPECT_GE(bound.largest, values[1]);
      EXPECT_LE(bound.largest, std::max(values[0] * 0.5, values[1] + 1.001 * accepted + kRounding));
    }
  }
}

TEST(RestByFactorisation, IsBelowTheLastValueOrNothing) {
  const Vector values = repeated(120, {{3, 2}, {2, 1}});
  const Matrix s = reflected(values, 8);
  const SymmetricEigenpairs all = symmetric_eigenpairs(s);
  for (const Index count : {1, 2, 3}) {
    Eigenpairs pairs{.values = all.values.tail(count).reverse(),
                     .vectors = all.vectors.rightCols(count).rowwise().reverse()};
    const std::optional<double> rest = rest_by_factorisation(s, pairs);
    ASSERT_EQ(rest.has_value(), count != 1);  // only one of two equal values was found
    if (rest) {
      EXPECT_GE(*rest, values[count]);
      EXPECT_LT(*rest, values[count - 1]);
    }
  }
}

TEST(SetBounds, CountsTheResidualByItsSquareWhereThereIsAGap) {
  // S = [3 .1; .1 1] on the first unit vector: residual .1, the other value is 1.
  Eigenpairs pairs{.values = Vector::Constant(1, 3), .vectors = Vector::Unit(2, 0)};
  set_bounds(pairs, 1, 0.1);
  const double largest = larger_eigenvalue(3, 0.1, 1);
  EXPECT_GE(pairs.upper[0], largest);
  EXPECT_LE(pairs.upper[0], largest + 1e-4);
}

}  // namespace
}  // namespace spca::repeated_eigenvalues_test

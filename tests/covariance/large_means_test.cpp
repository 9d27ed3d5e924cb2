/// Tests that S keeps its digits in every storage if means are large relative to deviations.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "spca/base/random.h"
#include "spca/covariance/column_shifts.h"
#include "spca/covariance/covariance.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/dense/sparsify.h"

namespace spca::large_means_test {
namespace {

/// Rounding of sums of 200 products, whose terms may be 1 + kLargeMean^2 times as large as the
/// result. Relative to the deviations or, for data that are not centred, to the lengths of the
/// columns.
constexpr double kRounding = (1 + kLargeMean * kLargeMean) * 200 * 0x1p-53;

/// Returns normal numbers about a mean. The first `zeros` rows are zero in every second column.
Matrix data_about(double mean, Index zeros, Index n = 200, Index p = 7) {
  Random random(11);
  Matrix data(n, p);
  for (double& number : data.reshaped()) {
    number = mean + random.normal();
  }
  for (Index j = 0; j < p; j += 2) {
    data.col(j).head(zeros).setZero();
  }
  return data;
}

/// Returns sqrt(scale) (X - 1m'), or sqrt(scale) X if not centred, computed with 64 bits of
/// mantissa.
Matrix prepared(const Matrix& data, DataForm form) {
  const auto n = static_cast<long double>(data.rows());
  const long double scale = form.scale == Scale::kNone              ? 1
                            : form.scale == Scale::kSamplesMinusOne ? 1 / (n - 1)
                                                                    : 1 / n;
  Matrix result(data.rows(), data.cols());
  for (Index j = 0; j < data.cols(); ++j) {
    // Differences from an entry are exact; their mean is not large.
    const long double origin = form.centered ? data(data.rows() - 1, j) : 0;
    long double sum = 0;
    for (const double number : data.col(j)) {
      sum += number - origin;
    }
    const long double mean = form.centered ? sum / n : 0;
    for (Index i = 0; i < data.rows(); ++i) {
      result(i, j) = static_cast<double>(std::sqrt(scale) * (data(i, j) - origin - mean));
    }
  }
  return result;
}

/// Compares every function of S with that of B'B.
void expect_near(const Covariance& s, const Matrix& b) {
  const Index p = b.cols();
  const Index n = b.rows();
  ASSERT_EQ(s.variables(), p);
  ASSERT_EQ(s.samples(), n);
  const Matrix expected = b.transpose() * b;
  // Returns the largest difference of an entry, relative to the lengths of its two columns.
  const Vector lengths = b.colwise().norm().cwiseMax(1e-300).transpose();
  const Vector inverse = lengths.cwiseInverse();
  const auto of_pairs = [&](const Matrix& found) {
    return (inverse.asDiagonal() * (found - expected) * inverse.asDiagonal()).cwiseAbs().maxCoeff();
  };
  Support all(static_cast<std::size_t>(p));
  for (Index j = 0; j < p; ++j) {
    all[static_cast<std::size_t>(j)] = j;
  }
  EXPECT_LE(of_pairs(s.submatrix(all)), kRounding);
  EXPECT_LE(of_pairs(s.columns(all)), kRounding);
  EXPECT_LE((s.diagonal() - expected.diagonal()).cwiseQuotient(lengths.cwiseAbs2()).norm(),
            kRounding);
  Matrix block;
  s.multiply_block(Matrix::Identity(p, p), block);
  EXPECT_LE(of_pairs(block), kRounding);
  for (Index j = 0; j < p; ++j) {
    Vector column;
    s.multiply(Vector(Vector::Unit(p, j)), column);
    block.col(j) = column;
  }
  EXPECT_LE(of_pairs(block), kRounding);
  const double largest = lengths.maxCoeff();
  const Component v{.support = {1, 2, p - 1}, .values = Vector{{0.6, -0.64, 0.48}}};
  const Vector scores = b * to_dense(v, p);
  EXPECT_LE((s.data_product(v) - scores).norm(), kRounding * largest);
  EXPECT_NEAR(s.quadratic_form(v), scores.squaredNorm(), kRounding * largest * largest);
  const Vector u = Vector::LinSpaced(n, -1, 2);
  EXPECT_LE((s.transpose_product(u) - b.transpose() * u).norm(), kRounding * largest * u.norm());
  const Matrix gram = b * b.transpose();
  EXPECT_LE((s.gram().value() - gram).cwiseAbs().maxCoeff(), kRounding * largest * largest);
  EXPECT_LE((s.squared_sample_norms() - gram.diagonal()).cwiseAbs().maxCoeff(),
            kRounding * largest * largest);
}

std::vector<std::shared_ptr<const Covariance>> storages(const Matrix& data, DataForm form) {
  return {make_covariance(data, form), make_covariance(SparseRows(data.sparseView()), form)};
}

TEST(LargeMeans, LoseNoDigitsInAnyStorage) {
  for (const double mean : {0.0, 1.0, 1e1, 1e3, 1e6, -1e8, 1e12}) {
    for (const Index zeros : {0, 2, 5}) {
      for (const bool centered : {true, false}) {
        for (const Scale scale : {Scale::kSamples, Scale::kSamplesMinusOne, Scale::kNone}) {
          SCOPED_TRACE(testing::Message() << mean << ", " << zeros << " zeros, " << centered);
          const Matrix data = data_about(mean, zeros);
          const DataForm form{.centered = centered, .scale = scale};
          for (const auto& s : storages(data, form)) {
            expect_near(*s, prepared(data, form));
          }
        }
      }
    }
  }
}

TEST(LargeMeans, OfSomeSamplesAndInOtherFormsLoseNoDigits) {
  const Matrix data = data_about(1e9, 1);
  const std::vector<Index> some = {0, 3, 4, 9, 17, 17, 20, 31, 44, 59};
  const Matrix chosen = data(some, Eigen::all);
  const DataForm raw{.centered = false, .scale = Scale::kNone};
  for (const auto& s : storages(data, {})) {
    expect_near(*s->of_samples(some), prepared(chosen, {}));
    expect_near(*s->of_samples(some)->in_form({.scale = Scale::kNone}),
                prepared(chosen, {.scale = Scale::kNone}));
    const auto uncentred = s->in_form({.centered = false, .scale = Scale::kNone});
    expect_near(*uncentred, prepared(data, raw));
    expect_near(*uncentred->of_samples(some), prepared(chosen, raw));
    expect_near(*uncentred->in_form({.centered = true, .scale = Scale::kSamples}),
                prepared(data, {}));
    expect_near(*s->of_samples(some)->in_form({.centered = false, .scale = Scale::kNone}),
                prepared(chosen, raw));
  }
}

TEST(LargeMeans, OfStandardisedDataLoseNoDigits) {
  const Matrix data = data_about(1e9, 1);
  Matrix expected = prepared(data, {});
  expected.array().rowwise() /= expected.colwise().norm().array().eval();
  for (const auto& s : storages(data, {})) {
    expect_near(*s->in_form({.standardized = true}), expected);
  }
  for (const auto& s : storages(data, {.standardized = true})) {
    expect_near(*s, expected);
  }
}

TEST(LargeMeans, ConstantColumnsAreZeroToTheLastBit) {
  Matrix data = data_about(1e8, 0, 30, 3);
  data.col(0).setConstant(0.1);  // its sum is rounded
  data.col(2).setConstant(-1e8 / 3);
  for (const bool standardized : {false, true}) {
    for (const auto& s : storages(data, {.standardized = standardized})) {
      EXPECT_EQ(s->diagonal()[0], 0);
      EXPECT_EQ(s->diagonal()[2], 0);
      EXPECT_EQ(s->columns({0, 2}), Matrix::Zero(3, 2));
      EXPECT_EQ(s->submatrix({0, 1, 2})(1, 0), 0);
      EXPECT_GT(s->diagonal()[1], 0.1);
    }
  }
}

TEST(LargeMeans, OfFewRowsAreExact) {
  // Deviations of a half, and a column in which one of the four numbers is zero.
  Matrix data(4, 3);
  data << 1e8, 1e8, 1e8, 1e8 + 1, 1e8 + 1, 1e8, 1e8, 1e8, 0, 1e8 + 1, 1e8 + 1, 1e8;
  for (const auto& s : storages(data, {})) {
    EXPECT_EQ(s->submatrix({0, 1})(0, 1), 0.25);
    EXPECT_EQ(s->diagonal()[0], 0.25);
    EXPECT_EQ(s->submatrix({0, 2})(0, 1), 12500000);
    EXPECT_EQ(s->diagonal()[2], 1875e12);
  }
}

TEST(LargeMeans, OfWholeNumbersAreShiftedByWholeNumbers) {
  SparseRows rows = Matrix{{100.0, 0.0}, {101.0, 3.0}, {102.0, 0.0}, {101.0, 5.0}}.sparseView();
  const ColumnsOfRows columns(rows);
  EXPECT_EQ(column_shifts(columns.arrays(), columns.facts, 4), (Vector{{100.0, 0.0}}));
  shift_large_means(rows);
  EXPECT_EQ(Matrix(rows), (Matrix{{0.0, 0.0}, {1.0, 3.0}, {2.0, 0.0}, {1.0, 5.0}}));
  EXPECT_EQ(rows.nonZeros(), 6);
}

TEST(LargeMeans, ColumnsWithManyZerosAreHeldAsTheyAre) {
  Matrix data = data_about(1e8, 0, 200, 2);
  data.col(0).head(4).setZero();
  const SparseRows rows = data.leftCols(1).sparseView();
  const ColumnsOfRows columns(rows);
  EXPECT_EQ(column_shifts(columns.arrays(), columns.facts, 200).size(), 0);
}

}  // namespace
}  // namespace spca::large_means_test

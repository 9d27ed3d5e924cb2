#include "spca/spectrum/eigenpairs.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/dense/leading_eigenpair.h"

#include <gtest/gtest.h>

#include <string>

#include "spca/base/random.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/sparsify.h"
#include "tests/dense_reference.h"

namespace spca::eigenpairs_test {
namespace {

/// The required accuracy, relative to the largest eigenvalue: values to 1e-12, residuals to 1e-9.
constexpr double kValueTolerance = 1e-12;
constexpr double kResidualTolerance = 1e-9;
/// At most this loss of orthogonality of eigenvectors is accepted: far above rounding, and too
/// small to affect any use.
constexpr double kOrthogonality = 1e-10;

Matrix normal_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  return Matrix::NullaryExpr(rows, columns, [&](Index, Index) { return random.normal(); });
}

/// Returns B, n x p, such that B'B has the n given eigenvalues and generic eigenvectors.
Matrix data_with_spectrum(const Vector& eigenvalues, Index p, std::uint64_t seed) {
  const Index n = eigenvalues.size();
  const Matrix left = thin_qr(normal_matrix(n, n, seed)).orthonormal;
  const Matrix right = thin_qr(normal_matrix(p, n, seed + 1)).orthonormal;
  return left * eigenvalues.cwiseSqrt().asDiagonal() * right.transpose();
}

std::shared_ptr<const Covariance> plain(Matrix data) {
  return make_covariance(std::move(data), {.centered = false, .scale = Scale::kNone});
}

/// Checks the invariants of all eigenpairs of S: order, unit length, orthogonality, residual, sign,
/// and the eigenvalues of a dense solver.
void run_test(const Covariance& covariance, const Matrix& s, Index count) {
  SCOPED_TRACE("p = " + std::to_string(s.rows()) + ", count = " + std::to_string(count));
  const Eigenpairs pairs = leading_eigenpairs(covariance, count);
  const Vector values = symmetric_eigenvalues(s);
  const double largest = std::max(values.tail(1)[0], 0.0);
  ASSERT_EQ(pairs.values.size(), count);
  ASSERT_EQ(pairs.vectors.cols(), count);
  for (Index j = 0; j < count; ++j) {
    EXPECT_NEAR(pairs.values[j], values[s.rows() - 1 - j], kValueTolerance * largest);
    const Vector v = pairs.vectors.col(j);
    EXPECT_LE((s * v - pairs.values[j] * v).norm(), kResidualTolerance * largest);
    Index position = 0;
    v.cwiseAbs().maxCoeff(&position);
    EXPECT_GT(v[position], 0);
  }
  const Vector alone = leading_eigenvalues(covariance, count);
  EXPECT_LE((alone - values.tail(count).reverse()).cwiseAbs().maxCoeff(),
            kValueTolerance * largest);
  const Matrix identity = Matrix::Identity(count, count);
  EXPECT_LE((pairs.vectors.transpose() * pairs.vectors - identity).norm(), kOrthogonality);
  const Eigenpairs again = leading_eigenpairs(covariance, count);
  EXPECT_EQ(pairs.vectors, again.vectors);
}

/// Tests S as dense data, as sparse data and as S itself, which are computed in different ways.
void run_test_on_all_sources(const Matrix& data, Index count) {
  const DataForm form{.centered = false, .scale = Scale::kNone};
  const Matrix s = data.transpose() * data;
  run_test(*plain(data), s, count);
  run_test(*make_covariance(SparseRows(data.sparseView()), form), s, count);
  run_test(*make_explicit_covariance(s), s, count);
}

TEST(Eigenpairs, AreThoseOfADenseSolverForEveryShapeAndRoute) {
  const struct {
    Index n, p, count;
  } shapes[] = {{1, 1, 1},   {5, 1, 1},     {1, 4, 1},     {1, 4, 3},     {7, 30, 1},
                {7, 30, 7},  {7, 30, 12},   {40, 10, 10},  {50, 200, 1},  {50, 200, 5},
                {90, 60, 3}, {400, 320, 1}, {400, 320, 4}, {20, 350, 350}};
  for (const auto& [n, p, count] : shapes) {
    run_test_on_all_sources(normal_matrix(n, p, static_cast<std::uint64_t>(n + p)), count);
  }
}

TEST(Eigenpairs, OfRepeatedEigenvaluesAreOrthonormal) {
  Vector eigenvalues(20);
  eigenvalues << 9, 9, 9, 4, 4, Vector::Ones(15);
  run_test_on_all_sources(data_with_spectrum(eigenvalues, 45, 3), 1);
  run_test_on_all_sources(data_with_spectrum(eigenvalues, 45, 3), 6);
  run_test(*make_explicit_covariance(Matrix::Identity(30, 30)), Matrix::Identity(30, 30), 4);
}

TEST(Eigenpairs, OfARankDeficientMatrixAreCompletedToABasis) {
  const Matrix data = normal_matrix(25, 3, 1) * normal_matrix(3, 60, 2);
  run_test_on_all_sources(data, 6);
  run_test_on_all_sources(Matrix::Zero(4, 9), 3);
  run_test_on_all_sources(Matrix::Zero(4, 9), 1);
}

TEST(Eigenpairs, SurviveAWideRangeOfEigenvalues) {
  Vector eigenvalues(12);
  for (Index i = 0; i < 12; ++i) {
    eigenvalues[i] = std::pow(10.0, -static_cast<double>(i));
  }
  run_test_on_all_sources(data_with_spectrum(eigenvalues, 40, 5), 12);
  run_test_on_all_sources(1e-60 * data_with_spectrum(eigenvalues, 40, 5), 1);
}

/// Returns S of sparse data, with these eigenvalues: blocks [[a, b], [b, a]], whose eigenvalues are
/// a + b and a - b, on pairs of variables that lie apart.
std::shared_ptr<const Covariance> pairs_of_variables(const Vector& eigenvalues) {
  const Index p = eigenvalues.size();
  std::vector<Eigen::Triplet<double>> entries;
  const double half = std::sqrt(0.5);
  for (Index i = 0; i < p / 2; ++i) {
    const Index j = p - 1 - i;
    const double plus = half * std::sqrt(eigenvalues[2 * i]);
    const double minus = half * std::sqrt(eigenvalues[2 * i + 1]);
    entries.insert(entries.end(), {{static_cast<int>(i), static_cast<int>(i), plus},
                                   {static_cast<int>(i), static_cast<int>(j), plus},
                                   {static_cast<int>(j), static_cast<int>(i), minus},
                                   {static_cast<int>(j), static_cast<int>(j), -minus}});
  }
  SparseRows data(p, p);
  data.setFromTriplets(entries.begin(), entries.end());
  return make_covariance(data.markAsRValue(), {.centered = false, .scale = Scale::kNone});
}

TEST(Eigenpairs, OfManyVariablesAreFoundByBlocks) {
  constexpr Index kVariables = 2400;
  Vector power_law(kVariables), repeated(kVariables), few = Vector::Zero(kVariables);
  for (Index i = 0; i < kVariables; ++i) {
    power_law[i] = 1 / static_cast<double>(i + 1);
    repeated[i] = i < 3 ? 5 : i < 9 ? 4 : 1 / (1 + 0.01 * static_cast<double>(i));
  }
  few.head(2) << 3, 2;
  for (const Vector& spectrum : {power_law, repeated, few}) {
    for (const Index count : {1, 3, 8}) {
      SCOPED_TRACE(count);
      const auto covariance = pairs_of_variables(spectrum);
      const Eigenpairs pairs = leading_eigenpairs(*covariance, count);
      const std::uint64_t of_pairs = covariance->products();
      const Vector values = leading_eigenvalues(*covariance, count);
      const std::uint64_t of_values = covariance->products() - of_pairs;
      EXPECT_LE((values - spectrum.head(count)).norm(), kValueTolerance * spectrum[0] * 10);
      EXPECT_LE(of_values, of_pairs);
      Matrix products;
      covariance->multiply_block(pairs.vectors, products);
      EXPECT_LE((pairs.values - spectrum.head(count)).norm(), kValueTolerance * spectrum[0] * 10);
      EXPECT_LE((products - pairs.vectors * pairs.values.asDiagonal()).norm(),
                kResidualTolerance * spectrum[0]);
      EXPECT_LE((pairs.vectors.transpose() * pairs.vectors - Matrix::Identity(count, count)).norm(),
                kOrthogonality);
    }
  }
}

TEST(Eigenpairs, OfCentredDataDoNotDependOnTheRoute) {
  const Matrix data = normal_matrix(30, 80, 9);
  const Matrix x = data.rowwise() - data.colwise().mean();
  run_test(*make_covariance(data, {}), x.transpose() * x / 30, 3);
  run_test(*make_covariance(SparseRows(data.sparseView()), {}), x.transpose() * x / 30, 3);
}

void expect_leading(const LeadingEigenpair& pair, const Matrix& s) {
  const Vector values = symmetric_eigenvalues(s);
  const double norm = values.cwiseAbs().maxCoeff();
  EXPECT_NEAR(pair.value, values.tail(1)[0], kValueTolerance * norm);
  EXPECT_NEAR(pair.vector.norm(), 1, kOrthogonality);
  EXPECT_LE((s * pair.vector - pair.value * pair.vector).norm(), kResidualTolerance * norm);
}

TEST(LeadingEigenpair, IsTheDenseSolversFromAnyStart) {
  for (const Index m : {1, 2, 5, 12, 13, 40, 120}) {
    const Matrix x = normal_matrix(m, m, 21);
    const Matrix s = x.transpose() * x;
    const Matrix vectors = symmetric_eigenpairs(s).vectors;
    expect_leading(leading_eigenpair(s), s);
    expect_leading(leading_eigenpair(s, normal_matrix(m, 1, 22)), s);
    expect_leading(leading_eigenpair(s, vectors.col(m - 1)), s);
    expect_leading(leading_eigenpair(s, Vector::Zero(m)), s);
    // Orthogonal to the leading eigenvector, the worst start.
    expect_leading(leading_eigenpair(s, vectors.col(0)), s);
    expect_leading(leading_eigenpair(s, vectors.col(std::max<Index>(m - 2, 0))), s);
    expect_leading(leading_eigenpair(s - 2 * s.trace() * Matrix::Identity(m, m)),
                   s - 2 * s.trace() * Matrix::Identity(m, m));
  }
}

TEST(LeadingEigenpair, FollowsAGrowingSupportFromTheLastVector) {
  const Matrix x = normal_matrix(60, 80, 31);
  const Matrix s = x.transpose() * x / 60;
  Vector start = Vector::Ones(1);
  for (Index k = 1; k <= 80; ++k) {
    const LeadingEigenpair pair = leading_eigenpair(s.topLeftCorner(k, k), start);
    expect_leading(pair, s.topLeftCorner(k, k));
    start = Vector::Zero(k + 1);
    start.head(k) = pair.vector;
  }
}

TEST(LeadingEigenpair, OfSeparateBlocksIsInTheBetterOne) {
  // The start lies in one block, the answer in the other: no product ever leads from one to the
  // other.
  Matrix s = Matrix::Zero(40, 40);
  s.topLeftCorner(20, 20).setOnes();
  s.bottomRightCorner(20, 20).setConstant(1.001);
  Vector start = Vector::Zero(40);
  start.head(20).setOnes();
  const LeadingEigenpair pair = leading_eigenpair(s, start);
  EXPECT_NEAR(pair.value, 20.02, 20 * kValueTolerance);
  expect_leading(leading_eigenpair(Matrix::Identity(30, 30)), Matrix::Identity(30, 30));
}

TEST(BestOnSupport, IsTheLeadingEigenvectorThere) {
  const Matrix x = normal_matrix(10, 8, 41);
  const auto covariance = plain(x);
  const Matrix s = x.transpose() * x;
  const Support support = {1, 3, 6};
  const SupportOptimum best = best_on_support(*covariance, support);
  EXPECT_EQ(best.component.support, support);
  const Matrix part = s(support, support);
  expect_leading({.value = best.value, .vector = best.component.values}, part);
  EXPECT_NEAR(covariance->quadratic_form(best.component), best.value, 1e-12 * s.norm());
}

TEST(BestOnSupport, DropsVariablesWithoutWeight) {
  const Matrix s = Vector::LinSpaced(4, 1, 4).asDiagonal();
  const SupportOptimum best = best_on_support(*make_explicit_covariance(s), {0, 2});
  EXPECT_EQ(best.component.support, Support{2});
  EXPECT_EQ(best.value, 3);
}

}  // namespace
}  // namespace spca::eigenpairs_test

#include "spca/spectrum/sketch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca {
namespace {

/// Number of columns beyond the rank; with ten the error is near the optimum (Halko, Martinsson,
/// Tropp).
constexpr Index kOversampling = 10;
constexpr int kPowers = 2;  // power iterations: products, each with a QR, after the first product
// A direction that keeps less than this share of the largest is rounding.
constexpr double kRoundingOfSketch = 1e-12;
/// Number of power iterations. With 20 the norm is accurate to a few per cent on all data sets.
constexpr int kErrorIterations = 20;
// At most this number of variables for reading all entries of S - V V': p^2 (d + 1) operations.
// Chosen by trial, not measured.
constexpr Index kLargestEntryError = 2000;
// Number of columns of S - V V' that are formed at a time.
constexpr Index kErrorColumns = 64;

Matrix gaussian_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  Matrix matrix(rows, columns);
  // Column by column: the draws of the first columns do not depend on how many follow.
  for (double& entry : matrix.reshaped()) {
    entry = random.normal();
  }
  return matrix;
}

Matrix randomised_factor(const Covariance& covariance, Index rank, std::uint64_t seed) {
  const Index p = covariance.variables();
  Matrix basis = gaussian_matrix(p, std::min(p, rank + kOversampling), seed);
  Matrix product;
  for (int power = 0; power <= kPowers; ++power) {
    covariance.multiply_block(basis, product);
    // A QR after every product: without it the columns of S^3 times a matrix all approach u_1, and
    // the smaller directions would be lost to rounding.
    basis = orthonormal_basis(product, kRoundingOfSketch);
  }
  covariance.multiply_block(basis, product);
  // Rayleigh-Ritz: the best approximation within the span of Q.
  const Matrix small = transposed_product(basis, product);
  const auto [values, vectors] = symmetric_eigenpairs(symmetric_part(small));
  const Index d = std::min(rank, basis.cols());
  // V = Q U_d sqrt(L_d), from the d largest Ritz pairs.
  const Vector roots = values.tail(d).cwiseMax(0.0).cwiseSqrt();
  return scaled_columns(matrix_product(basis, vectors.rightCols(d)), roots);
}

Matrix gaussian_factor(const Covariance& covariance, Index rank, std::uint64_t seed) {
  const Index p = covariance.variables();
  const double scale = 1 / std::sqrt(static_cast<double>(rank));
  // B = diag(sqrt(lambda)) U', so B'R = U diag(sqrt(lambda)) R.
  if (!covariance.has_data_form()) {
    const Eigenpairs pairs = leading_eigenpairs(covariance, p);
    return pairs.vectors * pairs.values.cwiseMax(0.0).cwiseSqrt().asDiagonal() *
           (scale * gaussian_matrix(p, rank, seed));
  }
  const Matrix directions = scale * gaussian_matrix(covariance.samples(), rank, seed);
  Matrix factor(p, rank);
  for (Index a = 0; a < rank; ++a) {
    factor.col(a) = covariance.transpose_product(directions.col(a));
  }
  return factor;
}

}  // namespace

LowRank sketch(const Covariance& covariance, const std::string& name, Index rank,
               std::uint64_t seed) {
  if (name == "svd") {
    return low_rank_approximation(covariance, rank);
  }
  SPCA_CHECK(name == "randomised-svd" || name == "gaussian", "an unknown sketch");
  LowRank result;
  result.factor = name == "gaussian" ? gaussian_factor(covariance, rank, seed)
                                     : randomised_factor(covariance, rank, seed);
  result.residual = std::numeric_limits<double>::infinity();
  zero_other_rows(varying_variables(covariance), result.factor);
  // The nonzero eigenvalues of V V' are those of the d x d matrix V'V.
  const Matrix small = transposed_product(result.factor, result.factor);
  result.eigenvalues = symmetric_eigenvalues(small).reverse();
  return result;
}

double sketch_error(const Covariance& covariance, const Matrix& factor, std::uint64_t seed) {
  Vector v = gaussian_matrix(covariance.variables(), 1, seed).col(0).normalized();
  Vector product;
  double norm = 0;
  for (int iteration = 0; iteration < kErrorIterations; ++iteration) {
    covariance.multiply(v, product);
    product.noalias() -= factor * (factor.transpose() * v);
    // ||(S - VV')v|| for a unit v is at most the norm, and increases towards it. Unlike
    // v'(S - VV')v, this holds even if S - VV' is indefinite.
    norm = product.norm();
    if (!(norm > 0)) {
      return 0;
    }
    v = product / norm;
  }
  return norm;
}

double sketch_entry_error(const Covariance& covariance, const Matrix& factor) {
  const Index p = covariance.variables();
  if (p > kLargestEntryError) {
    return kNotMeasured;
  }
  double largest = 0;
  for (Index first = 0; first < p; first += kErrorColumns) {
    Support block(static_cast<std::size_t>(std::min(kErrorColumns, p - first)));
    std::iota(block.begin(), block.end(), first);
    Matrix error = covariance.columns(block);
    subtract_product_transposed(error, factor, factor(block, Eigen::all));
    largest = std::max(largest, largest_magnitude(error));
  }
  return largest;
}

}  // namespace spca

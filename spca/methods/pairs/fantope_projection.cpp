#include "spca/methods/pairs/fantope_projection.h"

#include <algorithm>

#include "spca/dense/dense_products.h"
#include "spca/dense/tridiagonal_form.h"

namespace spca {
namespace {

// Number of extra eigenpairs to compute. If the total exceeds p / kDenseDivisor, all are computed.
// Chosen by trial, not measured.
constexpr Index kExtraPairs = 12;
constexpr Index kDenseDivisor = 6;
// Number of halvings of the interval of the level: more than the digits of a double.
constexpr int kLevelHalvings = 60;
// At most this pivot, relative to the largest one, makes a column dependent on the others.
constexpr double kDependentPairs = 1e-10;

}  // namespace

FantopeProjection::FantopeProjection(Index p, Index r) : p_(p), r_(r), wanted_(p) {}

Matrix FantopeProjection::project(const Matrix& t) {
  if (wanted_ * kDenseDivisor > p_ || basis_.cols() < wanted_) {
    find_all(t);
  } else {
    find_leading(t);
  }
  Matrix y = clip();
  wanted_ = positive_ + kExtraPairs;
  return y;
}

void FantopeProjection::find_all(const Matrix& t) {
  const auto count = [&](const Vector& values) {
    set_values(values);
    const Index wanted = positive_ + kExtraPairs;
    return wanted * kDenseDivisor > p_ ? positive_ : wanted;
  };
  // The previous step had about as many positive eigenvalues.
  basis_ = leading_symmetric_eigenpairs(t, count, positive_).vectors;
}

void FantopeProjection::find_leading(const Matrix& t) {
  const Matrix leading = basis_.rightCols(wanted_);
  Matrix space(p_, 2 * wanted_);
  space << leading, matrix_product(t, leading);
  const Matrix frame = orthonormal_basis(space, kDependentPairs);
  const SymmetricEigenpairs pairs =
      symmetric_eigenpairs(transposed_product(frame, matrix_product(t, frame)));
  basis_ = matrix_product(frame, pairs.vectors);
  set_values(pairs.values);
}

void FantopeProjection::set_values(const Vector& values) {
  values_ = values;
  double low = values[0] - 1;
  double high = values[values.size() - 1];
  for (int step = 0; step < kLevelHalvings; ++step) {
    const double middle = 0.5 * (low + high);
    const double sum = (values.array() - middle).min(1.0).max(0.0).sum();
    (sum > static_cast<double>(r_) ? low : high) = middle;
  }
  level_ = high;
  positive_ = (values.array() > high).count();
}

Matrix FantopeProjection::clip() const {
  const Vector weights = (values_.tail(positive_).array() - level_).min(1.0);
  const Matrix vectors = basis_.rightCols(positive_);
  return product_transposed(scaled_columns(vectors, weights), vectors);
}

}  // namespace spca

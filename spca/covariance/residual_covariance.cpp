#include "spca/covariance/residual_covariance.h"

#include <algorithm>
#include <cmath>

#include "spca/base/tolerances.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"

namespace spca {
namespace {

/// A variable with less than this share of its variance left gets the variance zero.
constexpr double kNoVarianceLeft = 1e-13;

}  // namespace

ResidualCovariance::ResidualCovariance(const Covariance& base)
    : base_(base),
      z_(base.variables(), 0),
      scores_(base.has_data_form() ? base.samples() : 0, 0),
      shift_(base.semidefinite_shift()),
      diagonal_(base.diagonal()) {}

/// One step of Gram-Schmidt in the inner product of S. With v the new column of H,
/// z = Av / sqrt(v'Av) is orthogonal to the earlier columns of H, and A becomes A - zz'.
void ResidualCovariance::remove(const Component& component) {
  Vector product;
  // Av, not Sv: A already lacks the part that the earlier columns explain. One product with S.
  do_multiply(component, product);
  const double variance = sparse_dot(component, product);
  if (!(variance > kNothingLeft * base_.quadratic_form(component))) {
    return;
  }
  // A - zz' is (I - P')A(I - P) with P = v (Av)' / v'Av, and I - P has the norm of P. Nor does zz'
  // lower an eigenvalue by more than ||z||^2.
  const double squared = product.squaredNorm() / variance;
  shift_ = std::min(shift_ * component.values.squaredNorm() * squared / variance, shift_ + squared);
  const Index count = z_.cols();
  if (has_data_form()) {
    Vector score = data_product(component);
    // data_product() has projected once. A second projection removes the rounding of the first.
    subtract_projection(score, scores_);
    scores_.conservativeResize(Eigen::NoChange, count + 1);
    scores_.col(count) = score.normalized();
  }
  z_.conservativeResize(Eigen::NoChange, count + 1);
  if (has_data_form()) {
    // From the orthonormal scores rather than from `product`: D = (I - QQ')X and Z = X'Q then agree
    // to rounding, however small v'Av is.
    z_.col(count) = base_.transpose_product(scores_.col(count));
  } else {
    z_.col(count) = product / std::sqrt(variance);
  }
  // The remainder of a variable that H represents fully is rounding, perhaps negative. It is set to
  // zero, so that no solver takes it for variance.
  diagonal_ -= z_.col(count).cwiseAbs2();
  diagonal_ =
      (diagonal_.array() > kNoVarianceLeft * base_.diagonal().array()).select(diagonal_, 0.0);
}

/// A_II = S_II - Z_I Z_I'.
Matrix ResidualCovariance::submatrix(const Support& support) const {
  const Matrix rows = selected_rows(z_, support);
  Matrix result = base_.submatrix(support);
  result -= product_transposed(rows, rows);
  // Both terms are symmetric up to the rounding of the product; solvers expect exact symmetry.
  return symmetric_part(result);
}

/// A_{:,J} = S_{:,J} - Z Z_J'.
Matrix ResidualCovariance::columns(const Support& support) const {
  Matrix result = base_.columns(support);
  subtract_product_transposed(result, z_, selected_rows(z_, support));
  return result;
}

std::optional<Matrix> ResidualCovariance::gram() const {
  std::optional<Matrix> gram = base_.gram();
  if (gram) {
    // (I - QQ') G (I - QQ'), Q = `scores_`, symmetric again after the rounding of two products.
    subtract_product(*gram, scores_, transposed_product(scores_, *gram));
    subtract_product_transposed(*gram, matrix_product(*gram, scores_), scores_);
    *gram = symmetric_part(*gram);
  }
  return gram;
}

Vector ResidualCovariance::transpose_product(const Vector& u) const {
  return base_.transpose_product(outside_of_span(scores_, u));
}

Vector ResidualCovariance::data_product(const Component& v) const {
  return outside_of_span(scores_, base_.data_product(v));
}

void ResidualCovariance::do_multiply(const Vector& v, Vector& out) const {
  base_.multiply(v, out);
  out -= times_vector(z_, transposed_times_vector(z_, v));
}

void ResidualCovariance::do_multiply_block(const Matrix& v, Matrix& out) const {
  base_.multiply_block(v, out);
  subtract_product(out, z_, transposed_product(z_, v));
}

void ResidualCovariance::do_multiply(const Component& v, Vector& out) const {
  base_.multiply(v, out);
  Vector inside = Vector::Zero(z_.cols());
  for (Index j = 0; j < z_.cols(); ++j) {
    for (Index i = 0; i < v.cardinality(); ++i) {
      inside[j] += z_(v.support[static_cast<std::size_t>(i)], j) * v.values[i];
    }
  }
  out -= times_vector(z_, inside);
}

}  // namespace spca

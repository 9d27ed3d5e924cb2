#include "spca/algebra/residual_covariance.h"

#include <cmath>

#include "spca/algebra/sparsify.h"

namespace spca {
namespace {

/// Of v'Sv: below it v'Av is rounding.
constexpr double kNothingLeft = 1e-12;
/// A variable of which less than this is left has variance zero.
constexpr double kNoVarianceLeft = 1e-13;

}  // namespace

ResidualCovariance::ResidualCovariance(const Covariance& base)
    : base_(base),
      z_(base.variables(), 0),
      scores_(base.has_data_form() ? base.samples() : 0, 0),
      diagonal_(base.diagonal()) {}

void ResidualCovariance::remove(const Component& component) {
  Vector product;
  do_multiply(component, product);
  const double variance = sparse_dot(component, product);
  if (!(variance > kNothingLeft * base_.quadratic_form(component))) {
    return;
  }
  const Index count = z_.cols();
  if (has_data_form()) {
    Vector score = data_product(component);
    score -= scores_ * (scores_.transpose() * score);  // twice is enough
    scores_.conservativeResize(Eigen::NoChange, count + 1);
    scores_.col(count) = score.normalized();
  }
  z_.conservativeResize(Eigen::NoChange, count + 1);
  if (has_data_form()) {
    z_.col(count) = base_.transpose_product(scores_.col(count));
  } else {
    z_.col(count) = product / std::sqrt(variance);
  }
  diagonal_ -= z_.col(count).cwiseAbs2();
  diagonal_ =
      (diagonal_.array() > kNoVarianceLeft * base_.diagonal().array()).select(diagonal_, 0.0);
}

Matrix ResidualCovariance::submatrix(const Support& support) const {
  const Matrix rows = z_(support, Eigen::all);
  Matrix result = base_.submatrix(support);
  result -= rows * rows.transpose();
  return 0.5 * (result + result.transpose());
}

Matrix ResidualCovariance::columns(const Support& support) const {
  return base_.columns(support) - z_ * z_(support, Eigen::all).transpose();
}

std::optional<Matrix> ResidualCovariance::gram() const {
  std::optional<Matrix> gram = base_.gram();
  if (gram) {
    const Matrix once = *gram - scores_ * (scores_.transpose() * *gram);
    const Matrix both = once - once * scores_ * scores_.transpose();
    *gram = 0.5 * (both + both.transpose());
  }
  return gram;
}

Vector ResidualCovariance::transpose_product(const Vector& u) const {
  return base_.transpose_product(u - scores_ * (scores_.transpose() * u));
}

Vector ResidualCovariance::data_product(const Component& v) const {
  const Vector score = base_.data_product(v);
  return score - scores_ * (scores_.transpose() * score);
}

void ResidualCovariance::do_multiply(const Vector& v, Vector& out) const {
  base_.multiply(v, out);
  out -= z_ * (z_.transpose() * v);
}

void ResidualCovariance::do_multiply_block(const Matrix& v, Matrix& out) const {
  base_.multiply_block(v, out);
  out.noalias() -= z_ * (z_.transpose() * v);
}

void ResidualCovariance::do_multiply(const Component& v, Vector& out) const {
  base_.multiply(v, out);
  out -= z_ * (z_(v.support, Eigen::all).transpose() * v.values);
}

}  // namespace spca

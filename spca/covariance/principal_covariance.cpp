#include "spca/covariance/principal_covariance.h"

#include <utility>

#include "spca/dense/dense_selections.h"

namespace spca {

PrincipalCovariance::PrincipalCovariance(const Covariance& base, Support support)
    : base_(base),
      support_(std::move(support)),
      diagonal_(selected_entries(base.diagonal(), support_)),
      largest_variances_(selected_entries(base.largest_variances(), support_)) {}

Support PrincipalCovariance::in_base(const Support& support) const {
  Support result;
  for (const Index i : support) {
    result.push_back(support_[static_cast<std::size_t>(i)]);
  }
  return result;
}

Matrix PrincipalCovariance::submatrix(const Support& support) const {
  return base_.submatrix(in_base(support));
}

Matrix PrincipalCovariance::columns(const Support& support) const {
  return selected_rows(base_.columns(in_base(support)), support_);
}

void PrincipalCovariance::do_multiply(const Vector& v, Vector& out) const {
  Vector product;
  multiply_uncounted(base_, Component{.support = support_, .values = v}, product);
  out = selected_entries(product, support_);
}

void PrincipalCovariance::do_multiply(const Component& v, Vector& out) const {
  Vector product;
  multiply_uncounted(base_, Component{.support = in_base(v.support), .values = v.values}, product);
  out = selected_entries(product, support_);
}

void PrincipalCovariance::do_multiply_block(const Matrix& v, Matrix& out) const {
  Matrix spread = Matrix::Zero(base_.variables(), v.cols());
  spread(support_, Eigen::all) = v;
  Matrix product;
  multiply_uncounted(base_, spread, product);
  out = selected_rows(product, support_);
}

}  // namespace spca

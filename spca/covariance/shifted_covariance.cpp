#include "spca/covariance/shifted_covariance.h"

namespace spca {

ShiftedCovariance::ShiftedCovariance(const Covariance& base)
    : base_(base),
      shift_(base.semidefinite_shift()),
      diagonal_(base.diagonal().array() + shift_),
      largest_variances_(base.largest_variances().array() + shift_) {}

Matrix ShiftedCovariance::submatrix(const Support& support) const {
  Matrix result = base_.submatrix(support);
  result.diagonal().array() += shift_;
  return result;
}

Matrix ShiftedCovariance::columns(const Support& support) const {
  Matrix result = base_.columns(support);
  for (std::size_t j = 0; j < support.size(); ++j) {
    result(support[j], static_cast<Index>(j)) += shift_;
  }
  return result;
}

void ShiftedCovariance::do_multiply(const Vector& v, Vector& out) const {
  multiply_uncounted(base_, v, out);
  out += shift_ * v;
}

void ShiftedCovariance::do_multiply(const Component& v, Vector& out) const {
  multiply_uncounted(base_, v, out);
  for (Index i = 0; i < v.cardinality(); ++i) {
    out[v.support[static_cast<std::size_t>(i)]] += shift_ * v.values[i];
  }
}

void ShiftedCovariance::do_multiply_block(const Matrix& v, Matrix& out) const {
  multiply_uncounted(base_, v, out);
  out += shift_ * v;
}

}  // namespace spca

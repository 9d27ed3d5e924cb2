#include "spca/covariance/submatrix_covariance.h"

#include <utility>

#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"

namespace spca {

SubmatrixCovariance::SubmatrixCovariance(const Covariance& base, Support support)
    : support_(std::move(support)),
      matrix_(base.submatrix(support_)),
      samples_(base.samples()),
      shift_(base.semidefinite_shift()),
      diagonal_(matrix_.diagonal()),
      largest_variances_(selected_entries(base.largest_variances(), support_)) {}

Component SubmatrixCovariance::in_base(Component component) const {
  for (Index& i : component.support) {
    i = support_[static_cast<std::size_t>(i)];
  }
  return component;
}

void SubmatrixCovariance::do_multiply(const Vector& v, Vector& out) const {
  out = times_vector(matrix_, v);
}

void SubmatrixCovariance::do_multiply(const Component& v, Vector& out) const {
  out.setZero(variables());
  for (Index i = 0; i < v.cardinality(); ++i) {
    out += v.values[i] * matrix_.col(v.support[static_cast<std::size_t>(i)]);
  }
}

}  // namespace spca

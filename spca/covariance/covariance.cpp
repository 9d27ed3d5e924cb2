#include "spca/covariance/covariance.h"

#include <fmt/format.h>

#include "spca/base/error.h"

namespace spca {

Scale scale_from_name(const std::string& name) {
  if (name == "n") {
    return Scale::kSamples;
  }
  if (name == "n-1") {
    return Scale::kSamplesMinusOne;
  }
  if (name == "none") {
    return Scale::kNone;
  }
  throw InputError(fmt::format("scale: unknown value \"{}\"; accepted: n, n-1, none", name));
}

void Covariance::multiply(const Vector& v, Vector& out) const {
  SPCA_CHECK(v.size() == variables(), "a product with a vector that does not have p entries");
  products_.fetch_add(1, std::memory_order_relaxed);
  do_multiply(v, out);
}

void Covariance::multiply(const Component& v, Vector& out) const {
  products_.fetch_add(1, std::memory_order_relaxed);
  do_multiply(v, out);
}

void Covariance::multiply_block(const Matrix& v, Matrix& out) const {
  SPCA_CHECK(v.rows() == variables(), "a product with vectors that do not have p entries");
  products_.fetch_add(static_cast<std::uint64_t>(v.cols()), std::memory_order_relaxed);
  do_multiply_block(v, out);
}

void Covariance::do_multiply_block(const Matrix& v, Matrix& out) const {
  out.resize(variables(), v.cols());
  Vector product;
  for (Index j = 0; j < v.cols(); ++j) {
    do_multiply(Vector(v.col(j)), product);
    out.col(j) = product;
  }
}

void Covariance::multiply_components(const std::vector<Component>& v, Matrix& out) const {
  products_.fetch_add(v.size(), std::memory_order_relaxed);
  do_multiply_components(v, out);
}

void Covariance::do_multiply_components(const std::vector<Component>& v, Matrix& out) const {
  out.resize(variables(), std::ssize(v));
  Vector product;
  for (Index c = 0; c < out.cols(); ++c) {
    do_multiply(v[static_cast<std::size_t>(c)], product);
    out.col(c) = product;
  }
}

double Covariance::quadratic_form(const Component& v) const {
  // k^2 entries of S instead of a product, which would touch all p variables.
  return v.values.dot(submatrix(v.support) * v.values);
}

Vector Covariance::transpose_product(const Vector&) const {
  SPCA_CHECK(has_data_form(), "a product with the data of an S that has none");
  return {};
}

Matrix Covariance::transpose_product_block(const Matrix& u) const {
  Matrix products(variables(), u.cols());
  for (Index c = 0; c < u.cols(); ++c) {
    products.col(c) = transpose_product(u.col(c));
  }
  return products;
}

Vector Covariance::data_product(const Component&) const {
  SPCA_CHECK(has_data_form(), "a product with the data of an S that has none");
  return {};
}

std::shared_ptr<const Covariance> Covariance::of_samples(const std::vector<Index>&) const {
  return nullptr;
}

std::shared_ptr<const Covariance> Covariance::in_form(const FormChange&) const { return nullptr; }

DataForm FormChange::of(DataForm form) const {
  form.centered = centered.value_or(standardized || form.centered);
  form.scale = scale.value_or(standardized ? Scale::kSamples : form.scale);
  form.standardized = standardized || (form.standardized && is_none());
  return form;
}

Vector Covariance::squared_sample_norms() const {
  Vector norms = Vector::Zero(samples());
  Component variable{.support = {0}, .values = Vector::Ones(1)};
  for (Index j = 0; j < variables(); ++j) {
    variable.support[0] = j;
    // ||row i of B||^2 = sum_j B_ij^2, one column of B at a time: B as a whole may be too large.
    norms += data_product(variable).cwiseAbs2();
  }
  return norms;
}

}  // namespace spca

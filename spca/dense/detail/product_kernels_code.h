#pragma once

/// The definitions of product_kernels.h. The file that includes this one has included Eigen.

namespace spca::detail {
namespace {

using Stride = Eigen::OuterStride<>;
using ConstMatrix = Eigen::Map<const Eigen::MatrixXd, Eigen::Unaligned, Stride>;
using MutableMatrix = Eigen::Map<Eigen::MatrixXd, Eigen::Unaligned, Stride>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;

ConstMatrix view(const Factor& factor) {
  return {factor.first, factor.rows, factor.columns, Stride(factor.stride)};
}

MutableMatrix view(const Target& target) {
  return {target.first, target.rows, target.columns, Stride(target.stride)};
}

template <class Product>
void update_by(const Target& target, const Product& product, Update update) {
  MutableMatrix result = view(target);
  if (update == Update::kSet) {
    result.noalias() = product;
  } else if (update == Update::kAdd) {
    result.noalias() += product;
  } else {
    result.noalias() -= product;
  }
}

void product(const Target& target, const Factor& a, const Factor& b, Update update) {
  update_by(target, view(a) * view(b), update);
}

void transposed_product(const Target& target, const Factor& a, const Factor& b) {
  update_by(target, view(a).transpose() * view(b), Update::kSet);
}

void product_transposed(const Target& target, const Factor& a, const Factor& b, Update update) {
  update_by(target, view(a) * view(b).transpose(), update);
}

void self_product(const Target& target, const Factor& a) {
  view(target).selfadjointView<Eigen::Lower>().rankUpdate(view(a));
}

void transposed_self_product(const Target& target, const Factor& a) {
  view(target).selfadjointView<Eigen::Lower>().rankUpdate(view(a).transpose());
}

void times_vector(double* target, const Factor& a, const double* x) {
  Eigen::Map<Eigen::VectorXd>(target, a.rows).noalias() = view(a) * ConstVector(x, a.columns);
}

void transposed_times_vector(double* target, const Factor& a, const double* x) {
  Eigen::Map<Eigen::VectorXd>(target, a.columns).noalias() =
      view(a).transpose() * ConstVector(x, a.rows);
}

constexpr ProductKernels kKernels = {.product = product,
                                     .transposed_product = transposed_product,
                                     .product_transposed = product_transposed,
                                     .self_product = self_product,
                                     .transposed_self_product = transposed_self_product,
                                     .times_vector = times_vector,
                                     .transposed_times_vector = transposed_times_vector};

}  // namespace
}  // namespace spca::detail

#include "spca/methods/ascent/penalised_power.h"

#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/truncated_power.h"

namespace spca {
namespace {

// At most this move of unit loadings ends the iteration.
constexpr double kSettledLoadings = 1e-8;

template <class Loadings>
Vector product_with(const Covariance& covariance, const Loadings& v) {
  Vector product;
  covariance.multiply(v, product);
  return product;
}

/// Returns Av from v and Sv.
Vector penalised(const PenalisedCovariance& matrix, const Vector& v, Vector product) {
  product -= matrix.columns * matrix.weights.cwiseProduct(matrix.columns.transpose() * v);
  product += matrix.shift * v;
  return product;
}

}  // namespace

Vector PenalisedCovariance::multiply(const Vector& v) const {
  return penalised(*this, v, product_with(covariance, v));
}

Vector PenalisedCovariance::multiply(const Component& v) const {
  return penalised(*this, to_dense(v, covariance.variables()), product_with(covariance, v));
}

PenalisedAscent penalised_power(const PenalisedCovariance& matrix, Index k, const Vector& w) {
  PenalisedAscent found;
  Component first = truncated(w, k);
  if (first.support.empty()) {
    return found;
  }
  int steps = 0;
  truncated_power(
      std::move(first), k, [&](const Component& v, Vector& image) { image = matrix.multiply(v); },
      [&](const Component& v, const Vector& image, const Component& next) {
        found = {.component = v, .value = sparse_dot(v, image)};
        const bool is_settled =
            next.support == v.support && (next.values - v.values).norm() < kSettledLoadings;
        return is_settled || ++steps == kMostPenalisedSteps || next.support.empty()
                   ? PowerStep::kKeep
                   : PowerStep::kGoOn;
      });
  return found;
}

}  // namespace spca

#include "spca/methods/ascent/penalised_power.h"

#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/truncated_power.h"

namespace spca {
namespace {

// The iteration ends if unit loadings move by less than this.
constexpr double kSettledLoadings = 1e-6;

}  // namespace

Vector PenalisedCovariance::multiply(const Component& v) const {
  Vector product;
  covariance.multiply(v, product);
  const Vector dense = to_dense(v, covariance.variables());
  product -= columns * weights.cwiseProduct(columns.transpose() * dense);
  product += shift * dense;
  return product;
}

PenalisedAscent penalised_power(const PenalisedCovariance& matrix, Index k, Component start) {
  PenalisedAscent found;
  if (start.support.empty()) {
    return found;
  }
  int steps = 0;
  truncated_power(
      std::move(start), k, [&](const Component& v, Vector& image) { image = matrix.multiply(v); },
      [&](const Component& v, const Vector& image, const Component& next) {
        found = {.component = v, .value = sparse_dot(v, image)};
        const bool is_settled =
            next.support == v.support && (next.values - v.values).norm() < kSettledLoadings;
        return is_settled || ++steps == kMostPenalisedSteps || next.support.empty()
                   ? PowerStep::kKeep
                   : PowerStep::kContinue;
      });
  return found;
}

}  // namespace spca

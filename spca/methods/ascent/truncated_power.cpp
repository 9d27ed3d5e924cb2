#include "spca/methods/ascent/truncated_power.h"

#include <algorithm>
#include <cmath>

#include "spca/dense/sparsify.h"

namespace spca {
namespace {

// A decrease by more than this share is not rounding: S is not positive semidefinite along the
// step.
constexpr double kFall = 1e-12;

}  // namespace

Component truncated(const Vector& w, Index k) { return normalized(restrict_to(w, top_k(w, k))); }

Component until_support_stays(const Covariance& covariance, Component v, Index k, int most_steps) {
  int steps = 0;
  return truncated_power(
      std::move(v), k, [&](const Component& from, Vector& w) { covariance.multiply(from, w); },
      [&](const Component& from, const Vector& /*w*/, const Component& next) {
        const bool is_last =
            ++steps == most_steps || next.support.empty() || next.support == from.support;
        return is_last ? PowerStep::kAccept : PowerStep::kGoOn;
      });
}

void evaluate(const Covariance& covariance, PowerIterate& iterate) {
  covariance.multiply(iterate.component, iterate.product);
  iterate.value = iterate.component.values.dot(iterate.product(iterate.component.support));
}

Component RisingSteps::from(const PowerIterate& iterate) const {
  if (shift_ == 0) {
    return truncated(iterate.product, k_);
  }
  Vector shifted = iterate.product;
  shifted(iterate.component.support) += shift_ * iterate.component.values;
  return truncated(shifted, k_);
}

bool RisingSteps::has_fallen(double before, double after) {
  if (!(after - before < -kFall * std::abs(before))) {
    return false;
  }
  shift_ = std::max(2 * shift_, std::abs(before));
  return true;
}

}  // namespace spca

#include "spca/methods/ascent/truncated_power.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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
        return is_last ? PowerStep::kAccept : PowerStep::kContinue;
      });
}

std::vector<Component> until_supports_stay(const Covariance& covariance,
                                           std::vector<Component> starts, Index k, int most_steps,
                                           const std::function<bool()>& keep_going) {
  std::vector<Component> ends(starts.size());
  std::vector<std::size_t> origins(starts.size());  // of the components that still change
  std::iota(origins.begin(), origins.end(), std::size_t{0});
  Matrix products;
  for (int step = 1; !starts.empty() && keep_going(); ++step) {
    covariance.multiply_components(starts, products);
    std::vector<Component> moving;
    std::vector<std::size_t> origins_of_moving;
    for (std::size_t t = 0; t < starts.size(); ++t) {
      Component next = truncated(products.col(static_cast<Index>(t)), k);
      if (step < most_steps && !next.support.empty() && next.support != starts[t].support) {
        moving.push_back(next);
        origins_of_moving.push_back(origins[t]);
      }
      ends[origins[t]] = std::move(next);
    }
    starts = std::move(moving);
    origins = std::move(origins_of_moving);
  }
  return ends;
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

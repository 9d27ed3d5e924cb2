#include "spca/methods/ascent/power_fixed_points.h"

#include <algorithm>
#include <cmath>

#include "spca/dense/leading_eigenpair.h"

namespace spca {

PowerIterate PowerFixedPoints::at(Component component) const {
  PowerIterate iterate{.component = std::move(component), .product = {}};
  evaluate(covariance_, iterate);
  return iterate;
}

PowerIterate PowerFixedPoints::refitted_near(const Component& component) const {
  const Matrix submatrix = covariance_.submatrix(component.support);
  return at({.support = component.support,
             .values = leading_eigenpair(submatrix, component.values).vector});
}

bool PowerFixedPoints::is_known(const Support& support) const {
  return std::find(known_.begin(), known_.end(), support) != known_.end();
}

/// The value of `current` does not fall once it has at most k nonzeros; `is_optimum` is true if its
/// loadings are the best on its support.
PowerIterate PowerFixedPoints::reach(const Component& start, Index k, Refits refits) {
  const bool refit = refits == Refits::kAtFixedPoints;
  budget_.begin_loop();
  PowerIterate current = at(start);
  bool is_optimum = false;
  RisingSteps steps(k);
  while (budget_.next(current.value)) {
    Component next = steps.from(current);
    if (next.support.empty() || (refit && is_known(next.support))) {
      return {};
    }
    const bool same_support = next.support == current.component.support;
    if (same_support && is_optimum) {
      break;
    }
    const bool was_feasible = current.component.cardinality() <= k;
    PowerIterate proposal = same_support && refit ? refitted_near(next) : at(std::move(next));
    // A start with more than k nonzeros may lose value when it is cut; that is not a sign of
    // indefiniteness.
    if (was_feasible && steps.has_fallen(current.value, proposal.value)) {
      continue;
    }
    const double gain = proposal.value - current.value;
    const bool stalled = was_feasible && gain <= tolerance_ * std::abs(proposal.value);
    if (stalled && is_optimum) {
      break;
    }
    current = std::move(proposal);
    is_optimum = same_support && refit;
    if (stalled && !refit) {
      break;
    }
    // If the value stalls while the support still changes, or before a refit, only a refit shows
    // whether the support is a fixed point.
    if (stalled && !is_optimum) {
      current = refitted_near(current.component);
      is_optimum = true;
    }
  }
  if (current.component.cardinality() > k) {
    return at(RisingSteps(k).from(current));  // time ran out before the first step
  }
  if (refit && !budget_.out_of_time()) {
    known_.push_back(current.component.support);
  }
  return current;
}

}  // namespace spca

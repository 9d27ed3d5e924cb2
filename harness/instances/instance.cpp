#include "harness/instances/instance.h"

#include <algorithm>
#include <cmath>

#include "harness/instances/instance_tolerances.h"

namespace spca {
namespace {

/// Returns by how much `value` is better than `other`, as a share of the larger absolute value. NaN
/// if either is NaN.
double advantage(Direction direction, double value, double other) {
  const double larger = std::max(std::abs(value), std::abs(other));
  const double difference = direction == Direction::kLowerIsBetter ? other - value : value - other;
  return difference == 0 ? 0 : difference / larger;
}

}  // namespace

double instance_gap(Direction direction, double value, double bound) {
  const double gap = advantage(direction, bound, value);
  if (!(gap >= -kSameInstanceValue)) {
    return kNotMeasured;
  }
  return std::abs(gap) <= 2 * kCarriedOutward ? 0 : std::max(gap, 0.0);
}

bool is_proved(Direction direction, double value, double bound) {
  return instance_gap(direction, value, bound) <= kProvedGap;
}

bool is_better(Direction direction, double value, double other) {
  return advantage(direction, value, other) > kSameInstanceValue;
}

double carried_outward(Direction direction, double bound, double value) {
  if (is_better(direction, value, bound)) {
    return bound;
  }
  const bool is_lower = direction == Direction::kLowerIsBetter;
  const double beyond = is_lower ? std::fmin(bound, value) : std::fmax(bound, value);
  return beyond + (is_lower ? -1 : 1) * kCarriedOutward * std::abs(beyond);
}

const char* instance_status(Direction direction, const Instance& instance) {
  return is_proved(direction, instance.best.value, instance.bound.value) ? "proved" : "open";
}

}  // namespace spca

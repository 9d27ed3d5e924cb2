#include "spca/measure/metrics.h"

#include "spca/algebra/cardinality_bound.h"
#include "spca/base/error.h"

namespace spca {

const Vector& Spectrum::leading(Index count) const {
  SPCA_CHECK(count >= 0 && count <= covariance_.variables(), "more eigenvalues than variables");
  if (values_.size() < count) {
    values_ = leading_eigenpairs(covariance_, count).values;
  }
  return values_;
}

double Spectrum::cardinality_bound(Index k) const {
  // A tenth of a second at most: this is asked for in every cell.
  constexpr double kWork = 2e8;
  const auto [bound, is_new] = bounds_.try_emplace(k, kNotMeasured);
  if (is_new) {
    bound->second = cardinality_bounds(covariance_, {k}, leading(1)[0], kWork).front().value;
  }
  return bound->second;
}

std::vector<double> measure(const MetricEntry& metric, const MetricContext& context) {
  try {
    return metric.measure(context);
  } catch (const NumericalError&) {
    return std::vector<double>(metric.traits.per_component ? context.components.size() : 1,
                               kNotMeasured);
  }
}

const char* direction_name(Direction direction) {
  switch (direction) {
    case Direction::kHigherIsBetter:
      return "higher";
    case Direction::kLowerIsBetter:
      return "lower";
    case Direction::kNone:
      return "none";
  }
  SPCA_CHECK(false, "a direction without a name");
}

const char* gate_name(Gate gate) {
  switch (gate) {
    case Gate::kHard:
      return "hard";
    case Gate::kSameMachineOnly:
      return "same-machine-only";
    case Gate::kNone:
      return "none";
  }
  SPCA_CHECK(false, "a gate without a name");
}

}  // namespace spca

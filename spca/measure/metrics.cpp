#include "spca/measure/metrics.h"

#include "spca/base/error.h"

namespace spca {

template class Registry<MetricEntry>;

bool register_metric(const char* name, const char* file,
                     std::vector<double> (*measure)(const MetricContext&),
                     const MetricTraits& traits) {
  return MetricRegistry::instance().add(
      {.name = name, .file = file, .measure = measure, .traits = traits});
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

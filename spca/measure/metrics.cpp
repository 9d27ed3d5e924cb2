#include "spca/measure/metrics.h"

#include <numeric>

#include "spca/base/error.h"

namespace spca {

template class Registry<MetricEntry>;

bool register_metric(const char* name, const char* file,
                     std::vector<double> (*measure)(const MetricContext&),
                     const MetricTraits& traits) {
  return MetricRegistry::instance().add(
      {.name = name, .file = file, .measure = measure, .traits = traits});
}

double total_of(const std::string& metric, const std::vector<double>& values) {
  if (values.empty()) {
    return kNotMeasured;
  }
  const MetricEntry* entry = MetricRegistry::instance().find(metric);
  const bool is_running_sum = entry != nullptr && entry->traits.last_is_total;
  return is_running_sum ? values.back() : std::accumulate(values.begin(), values.end(), 0.0);
}

std::vector<double> unmeasured(const MetricEntry& metric, std::size_t components) {
  return std::vector<double>(metric.traits.per_component ? components : 1, kNotMeasured);
}

std::vector<double> measure(const MetricEntry& metric, const MetricContext& context) {
  try {
    return metric.measure(context);
  } catch (const NumericalError&) {
    return unmeasured(metric, context.components.size());
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

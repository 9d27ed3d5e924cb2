#include "spca/measure/metrics.h"

namespace spca::metric_cardinality {
namespace {

std::vector<double> cardinality(const MetricContext& context) {
  std::vector<double> cardinalities;
  for (const Component& component : context.components) {
    cardinalities.push_back(static_cast<double>(component.cardinality()));
  }
  return cardinalities;
}

SPCA_METRIC("cardinality", cardinality,
            (MetricTraits{.unit = "",
                          .direction = Direction::kNone,
                          .formula = "||v_j||_0 for j = 1..r",
                          .per_component = true,
                          .relative_tolerance = 0}));

}  // namespace
}  // namespace spca::metric_cardinality

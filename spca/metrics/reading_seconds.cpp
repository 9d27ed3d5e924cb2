#include "spca/metrics.h"

namespace spca {
namespace {

std::vector<double> reading_seconds(const MetricContext& context) {
  return {context.cost.reading_seconds};
}

SPCA_METRIC("reading_seconds", reading_seconds,
            (MetricTraits{
                .unit = "s",
                .direction = Direction::kLowerIsBetter,
                .formula = "wall time until S was there: reading its files, or drawing it",
                .timing = true,
                .by_default = false,
                .absolute_tolerance = 0.05,
                .relative_tolerance = 0.5,
                .gate = Gate::kSameMachineOnly}));

}  // namespace
}  // namespace spca

#include "spca/metrics.h"

namespace spca {
namespace {

std::vector<double> cpu_seconds(const MetricContext& context) { return {context.cost.cpu_seconds}; }

SPCA_METRIC("cpu_seconds", cpu_seconds,
            (MetricTraits{.unit = "s",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "processor time of the solve, all threads",
                          .timing = true,
                          .absolute_tolerance = 0.05,
                          .relative_tolerance = 0.5,
                          .gate = Gate::kSameMachineOnly}));

}  // namespace
}  // namespace spca

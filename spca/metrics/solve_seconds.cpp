#include "spca/metrics.h"

namespace spca {
namespace {

std::vector<double> solve_seconds(const MetricContext& context) {
  return {context.cost.solve_seconds};
}

// A solve of a few milliseconds varies by more than itself from run to run.
SPCA_METRIC("solve_seconds", solve_seconds,
            (MetricTraits{.unit = "s",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "wall time of the solve, the search for a penalty included",
                          .timing = true,
                          .absolute_tolerance = 0.05,
                          .relative_tolerance = 0.5,
                          .gate = Gate::kSameMachineOnly}));

}  // namespace
}  // namespace spca

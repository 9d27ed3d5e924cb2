#include "spca/measure/metrics.h"

namespace spca::metric_instructions {
namespace {

std::vector<double> instructions(const MetricContext& context) {
  return {context.cost.instructions};
}

/// The number of the same program on the same input varies by far less than 1 %, because of
/// run-time decisions of the system's libraries (addresses, sizes of caches).
SPCA_METRIC("instructions", instructions,
            (MetricTraits{.unit = "",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "instructions that the processor retired in user mode during "
                                     "the solve, all threads and programs; NaN without a counter",
                          .timing = true,
                          .by_default = false,
                          .needs_instructions = true,
                          .absolute_tolerance = 1e5,
                          .relative_tolerance = 0.01,
                          .gate = Gate::kSameMachineOnly}));

}  // namespace
}  // namespace spca::metric_instructions

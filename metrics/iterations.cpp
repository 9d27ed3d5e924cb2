#include "spca/measure/metrics.h"

namespace spca::metric_iterations {
namespace {

std::vector<double> iterations(const MetricContext& context) { return {context.cost.iterations}; }

// Rounding on another processor may move the last step of a loop, but not more.
SPCA_METRIC("iterations", iterations,
            (MetricTraits{.unit = "",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "iterations of the solver's loops, over all components",
                          .absolute_tolerance = 2,
                          .relative_tolerance = 0.05}));

}  // namespace
}  // namespace spca::metric_iterations

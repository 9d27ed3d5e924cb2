#include "spca/metrics.h"

namespace spca {
namespace {

std::vector<double> iterations(const MetricContext& context) { return {context.cost.iterations}; }

SPCA_METRIC("iterations", iterations,
            (MetricTraits{.unit = "",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "iterations of the solver's loops, over all components"}));

}  // namespace
}  // namespace spca

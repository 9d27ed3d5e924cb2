#include "spca/metrics.h"

namespace spca {
namespace {

std::vector<double> solve_seconds(const MetricContext& context) {
  return {context.cost.solve_seconds};
}

SPCA_METRIC("solve_seconds", solve_seconds,
            (MetricTraits{.unit = "s",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "wall time of the solve, the search for a penalty included",
                          .timing = true}));

}  // namespace
}  // namespace spca

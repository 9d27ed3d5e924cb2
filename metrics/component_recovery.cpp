#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_component_recovery {
namespace {

std::vector<double> component_recovery(const MetricContext& context) {
  return {recovered_supports(context) / static_cast<double>(context.components.size())};
}

SPCA_METRIC("component_recovery", component_recovery,
            (MetricTraits{.unit = "",
                          .direction = Direction::kHigherIsBetter,
                          .formula = "share of the supports I_1..I_r that are those of distinct "
                                     "components of the truth in any order",
                          .source = "Papailiopoulos, Dimakis, Korokythakis, ICML 2013, section "
                                    "4.1: p_rec, as its table reads",
                          .by_default = false,
                          .absolute_tolerance = 1e-9,
                          .is_share = true}));

}  // namespace
}  // namespace spca::metric_component_recovery

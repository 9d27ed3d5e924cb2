#include <cmath>

#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_support_recovery {
namespace {

std::vector<double> support_recovery(const MetricContext& context) {
  const double recovered = recovered_supports(context);
  const bool is_all = recovered == static_cast<double>(context.components.size());
  return {std::isnan(recovered) ? kNotMeasured : is_all ? 1.0 : 0.0};
}

SPCA_METRIC(
    "support_recovery", support_recovery,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kHigherIsBetter,
        .formula = "1 if the supports I_1..I_r are those of r distinct components of the truth in "
                   "any order, else 0",
        .absolute_tolerance = 1e-9,
        .is_share = true}));

}  // namespace
}  // namespace spca::metric_support_recovery

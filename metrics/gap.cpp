#include "spca/measure/contradiction.h"
#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_gap {
namespace {

/// The value is the projected variance, which a correct bound covers. The plain sum can exceed the
/// bound if the loadings are not orthogonal.
std::vector<double> gap(const MetricContext& context) {
  return {relative_gap(context.upper_bound, projected_variance_sum(context))};
}

SPCA_METRIC(
    "gap", gap,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kLowerIsBetter,
        .formula = "(upper_bound - value) / upper_bound; the value is projected_variance, which is "
                   "tr(V'SV) for r = 1 and for orthogonal loadings",
        .needs_bound = true,
        .absolute_tolerance = 1e-6}));

}  // namespace
}  // namespace spca::metric_gap

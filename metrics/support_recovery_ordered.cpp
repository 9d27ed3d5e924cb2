#include "spca/measure/metrics.h"

namespace spca::metric_support_recovery_ordered {
namespace {

std::vector<double> support_recovery_ordered(const MetricContext& context) {
  if (context.truth.empty() || context.components.size() > context.truth.size()) {
    return {kNotMeasured};
  }
  for (std::size_t j = 0; j < context.components.size(); ++j) {
    if (context.components[j].support != context.truth[j].support) {
      return {0};
    }
  }
  return {1};
}

SPCA_METRIC(
    "support_recovery_ordered", support_recovery_ordered,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kHigherIsBetter,
        .formula =
            "1 if I_j is the support of the truth's j-th component for every j = 1..r, else 0",
        .absolute_tolerance = 1e-9,
        .is_share = true}));

}  // namespace
}  // namespace spca::metric_support_recovery_ordered

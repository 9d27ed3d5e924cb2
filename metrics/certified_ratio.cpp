#include "spca/measure/metrics.h"

namespace spca::metric_certified_ratio {
namespace {

/// Not measured for several components: their value would be the variance of the span, for which
/// there is the metric `gap`.
std::vector<double> certified_ratio(const MetricContext& context) {
  if (context.components.size() != 1 || !(context.upper_bound > 0)) {
    return {kNotMeasured};
  }
  return {context.variances.of_components()[0] / context.upper_bound};
}

SPCA_METRIC("certified_ratio", certified_ratio,
            (MetricTraits{
                .unit = "",
                .direction = Direction::kHigherIsBetter,
                .formula = "v'Sv / upper_bound: the share of the largest variance that the "
                           "answer has for certain. For one component",
                .by_default = false,
                .needs_bound = true}));

}  // namespace
}  // namespace spca::metric_certified_ratio

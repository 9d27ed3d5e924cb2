#include "spca/measure/metrics.h"

namespace spca::metric_component_variance_ratio {
namespace {

std::vector<double> component_variance_ratio(const MetricContext& context) {
  const double largest = context.spectrum.leading(1)[0];
  std::vector<double> ratios;
  for (const double variance : context.variances.of_components()) {
    ratios.push_back(variance / largest);
  }
  return ratios;
}

SPCA_METRIC("component_variance_ratio", component_variance_ratio,
            (MetricTraits{
                .unit = "",
                .direction = Direction::kHigherIsBetter,
                .formula = "v_j'Sv_j / lambda_1 for j = 1..r; for `pca` the spectrum of S",
                .per_component = true,
                .by_default = false,
                .absolute_tolerance = 1e-9}));

}  // namespace
}  // namespace spca::metric_component_variance_ratio

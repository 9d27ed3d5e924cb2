#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_projected_variance {
namespace {

std::vector<double> projected_variance(const MetricContext& context) {
  return {projected_variance_sum(context)};
}

SPCA_METRIC("projected_variance", projected_variance,
            (MetricTraits{
                .unit = "variance",
                .direction = Direction::kHigherIsBetter,
                .formula = "tr(X_r'X_r) with X_r = X V (V'V)^+ V', that is tr((V'V)^+ V'SV)",
                .source = "Shen, Huang, Journal of Multivariate Analysis 99, 2008, section 2.3"}));

}  // namespace
}  // namespace spca::metric_projected_variance

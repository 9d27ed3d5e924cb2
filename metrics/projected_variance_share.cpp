#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_projected_variance_share {
namespace {

std::vector<double> projected_variance_share(const MetricContext& context) {
  return {projected_variance_sum(context) / context.covariance.total_variance()};
}

SPCA_METRIC("projected_variance_share", projected_variance_share,
            (MetricTraits{
                .unit = "",
                .direction = Direction::kHigherIsBetter,
                .formula = "tr((V'V)^+ V'SV) / tr(S)",
                .source = "Shen, Huang, Journal of Multivariate Analysis 99, 2008, section 2.3"}));

}  // namespace
}  // namespace spca::metric_projected_variance_share

#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_variance_share {
namespace {

std::vector<double> variance_share(const MetricContext& context) {
  return {plain_variance(context) / context.covariance.total_variance()};
}

SPCA_METRIC(
    "variance_share", variance_share,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kHigherIsBetter,
        .formula = "tr(V'SV) / tr(S); a share of the trace only for orthogonal loadings (disjoint "
                   "supports), see explained_variance"}));

}  // namespace
}  // namespace spca::metric_variance_share

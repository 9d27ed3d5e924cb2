#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_explained_variance {
namespace {

std::vector<double> explained_variance(const MetricContext& context) {
  return {plain_variance(context)};
}

SPCA_METRIC(
    "explained_variance", explained_variance,
    (MetricTraits{
        .unit = "variance",
        .direction = Direction::kHigherIsBetter,
        .formula =
            "sum_j v_j'Sv_j = tr(V'SV); for loadings that overlap without being orthogonal "
            "the plain sum can exceed PCA's lambda_1 + ... + lambda_r: adjusted_variance and "
            "projected_variance cannot"}));

}  // namespace
}  // namespace spca::metric_explained_variance

#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_explained_variance_ratio {
namespace {

std::vector<double> explained_variance_ratio(const MetricContext& context) {
  return {plain_variance(context) / pca_variance(context)};
}

SPCA_METRIC(
    "explained_variance_ratio", explained_variance_ratio,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kHigherIsBetter,
        .formula = "tr(V'SV) / (lambda_1 + ... + lambda_r): for r = 1 the ratio to lambda_1"}));

}  // namespace
}  // namespace spca::metric_explained_variance_ratio

#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_symmetric_explained_variance {
namespace {

/// XHH^+ is X projected on the span of the loadings; H need not have orthogonal columns.
std::vector<double> symmetric_explained_variance(const MetricContext& context) {
  return {projected_variance_sum(context) / pca_variance(context)};
}

SPCA_METRIC(
    "symmetric_explained_variance", symmetric_explained_variance,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kHigherIsBetter,
        .formula = "||X H H^+||_F^2 / ||X_r||_F^2, H = V: tr((V'V)^+ V'SV) / (lambda_1 + ... + "
                   "lambda_r)",
        .source = "Magdon-Ismail, Boutsidis, NIPS 2016",
        .by_default = false}));

}  // namespace
}  // namespace spca::metric_symmetric_explained_variance

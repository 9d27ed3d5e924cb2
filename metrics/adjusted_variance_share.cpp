#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_adjusted_variance_share {
namespace {

std::vector<double> adjusted_variance_share(const MetricContext& context) {
  return {adjusted_variance_sum(context) / context.covariance.total_variance()};
}

SPCA_METRIC(
    "adjusted_variance_share", adjusted_variance_share,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kHigherIsBetter,
        .formula = "sum_j R_jj^2 / tr(S) with XV = QR",
        .source = "Zou, Hastie, Tibshirani, Journal of Computational and Graphical Statistics 15, "
                  "2006, section 3.4"}));

}  // namespace
}  // namespace spca::metric_adjusted_variance_share

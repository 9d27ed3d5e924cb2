#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_adjusted_variance {
namespace {

std::vector<double> adjusted_variance(const MetricContext& context) {
  return {adjusted_variance_sum(context)};
}

SPCA_METRIC(
    "adjusted_variance", adjusted_variance,
    (MetricTraits{
        .unit = "variance",
        .direction = Direction::kHigherIsBetter,
        .formula = "sum_j R_jj^2 with XV = QR (X scaled so that S = X'X): the variance that each "
                   "component adds to those before it",
        .source = "Zou, Hastie, Tibshirani, Journal of Computational and Graphical Statistics 15, "
                  "2006, section 3.4"}));

}  // namespace
}  // namespace spca::metric_adjusted_variance

#include "spca/measure/encoder_metrics.h"

namespace spca::metric_theorem5_slack {
namespace {

std::vector<double> theorem5_slack(const MetricContext& context) {
  return {slack_on_rows(context)};
}

SPCA_METRIC(
    "theorem5_slack", theorem5_slack,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kHigherIsBetter,
        .formula = "(||X - X_{C,r}||_F^2 - ||X - XH(XH)^+X||_F^2) / ||X||_F^2, C the "
                   "columns of X that any component uses: 0 (to rounding) for a batch "
                   "encoder by Theorem 5, never above 0, and below 0 by the additional loss "
                   "of other loadings on these columns",
        .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Theorem 5",
        .by_default = false,
        .absolute_tolerance = 1e-9}));

}  // namespace
}  // namespace spca::metric_theorem5_slack

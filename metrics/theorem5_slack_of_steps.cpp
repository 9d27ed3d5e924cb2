#include "spca/measure/encoder_metrics.h"

namespace spca::metric_theorem5_slack_of_steps {
namespace {

std::vector<double> theorem5_slack_of_steps(const MetricContext& context) {
  return {least_slack_of_steps(context)};
}

SPCA_METRIC(
    "theorem5_slack_of_steps", theorem5_slack_of_steps,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kHigherIsBetter,
        .formula = "min_j (||D_j - [D_j]_{C,1}||_F^2 - ||D_{j+1}||_F^2) / ||X||_F^2, D_j "
                   "the residual of X after the first j components, C the columns of D_j that "
                   "the next one uses: 0 (to rounding) for an iterative encoder, by Theorem 5 "
                   "for each step",
        .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Theorem 5 and section 3",
        .by_default = false,
        .absolute_tolerance = 1e-9}));

}  // namespace
}  // namespace spca::metric_theorem5_slack_of_steps

#include "spca/measure/encoder_metrics.h"

namespace spca::metric_loss_bound_theorem11 {
namespace {

std::vector<double> loss_bound_theorem11(const MetricContext& context) {
  return {theorem11_bound(context)};
}

SPCA_METRIC(
    "loss_bound_theorem11", loss_bound_theorem11,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kLowerIsBetter,
        .formula = "(e r)^eps + eps r^(1 + eps) ||X_r - X_1||_F^2 / ||X - X_r||_F^2, eps the least "
                   "with cardinality k_j >= 5 + ceil(5 j / eps) for all j: a bound on the expected "
                   "information_loss of encoder-iterative with random columns",
        .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Theorem 11",
        .by_default = false,
        .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_loss_bound_theorem11

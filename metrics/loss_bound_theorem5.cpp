#include "spca/measure/encoder_metrics.h"

namespace spca::metric_loss_bound_theorem5 {
namespace {

std::vector<double> loss_bound_theorem5(const MetricContext& context) {
  return {normalised_loss(context, captured_on_rows(context))};
}

SPCA_METRIC("loss_bound_theorem5", loss_bound_theorem5,
            (MetricTraits{
                .unit = "",
                .direction = Direction::kLowerIsBetter,
                .formula = "||X - X_{C,r}||_F^2 / ||X - X_r||_F^2, C the columns of X "
                           "that any component uses: the loss of the best encoder on them, "
                           "a bound on the information_loss of a blackbox encoder",
                .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Theorem 5",
                .by_default = false}));

}  // namespace
}  // namespace spca::metric_loss_bound_theorem5

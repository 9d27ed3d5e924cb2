#include "spca/measure/encoder_metrics.h"

namespace spca::metric_theorem11_slack {
namespace {

std::vector<double> theorem11_slack(const MetricContext& context) {
  return {theorem11_bound(context) - normalised_loss(context, captured_variance(context))};
}

SPCA_METRIC("theorem11_slack", theorem11_slack,
            (MetricTraits{.unit = "",
                          .direction = Direction::kNone,
                          .formula = "loss_bound_theorem11 - information_loss: its mean over draws "
                                     "is not below 0 for encoder-iterative with random columns",
                          .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Theorem 11",
                          .by_default = false,
                          .absolute_tolerance = 1e-9,
                          .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_theorem11_slack

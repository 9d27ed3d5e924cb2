#include "spca/measure/encoder_metrics.h"
#include "spca/methods/encoders/linear_encoder.h"

namespace spca::metric_theorem7_slack {
namespace {

std::vector<double> theorem7_slack(const MetricContext& context) {
  const double bound =
      expected_loss_bound(std::ssize(context.components), row_sparsity(context.components));
  return {bound - normalised_loss(context, captured_variance(context))};
}

SPCA_METRIC("theorem7_slack", theorem7_slack,
            (MetricTraits{.unit = "",
                          .direction = Direction::kNone,
                          .formula = "1 + 5r / (k - 5r) - information_loss, k = row_sparsity > 5r: "
                                     "its mean over draws is not below 0 for encoder-batch-random",
                          .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Theorem 7",
                          .by_default = false,
                          .absolute_tolerance = 1e-9,
                          .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_theorem7_slack

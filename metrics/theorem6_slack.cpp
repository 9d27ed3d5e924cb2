#include "spca/measure/encoder_metrics.h"
#include "spca/methods/encoders/linear_encoder.h"

namespace spca::metric_theorem6_slack {
namespace {

std::vector<double> theorem6_slack(const MetricContext& context) {
  const double bound =
      deterministic_loss_bound(std::ssize(context.components), row_sparsity(context.components));
  return {bound - normalised_loss(context, captured_variance(context))};
}

SPCA_METRIC("theorem6_slack", theorem6_slack,
            (MetricTraits{.unit = "",
                          .direction = Direction::kNone,
                          .formula = "1 + (1 - sqrt(r/k))^-2 - information_loss, k = row_sparsity "
                                     "> r: not below 0 for the deterministic encoder-batch",
                          .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Theorems 5 and 6 (i)",
                          .by_default = false,
                          .absolute_tolerance = 1e-9,
                          .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_theorem6_slack

#include "spca/measure/encoder_metrics.h"

namespace spca::metric_theorem8_slack {
namespace {

std::vector<double> theorem8_slack(const MetricContext& context) {
  const auto r = static_cast<double>(context.components.size());
  const auto rows = static_cast<double>(row_sparsity(context.components));
  return {normalised_loss(context, captured_variance(context)) - (1 + r / rows)};
}

SPCA_METRIC("theorem8_slack", theorem8_slack,
            (MetricTraits{.unit = "",
                          .direction = Direction::kNone,
                          .formula = "information_loss - (1 + r / row_sparsity): on the data set "
                                     "lower-bound at least 0 for any encoder, up to a term that "
                                     "vanishes with many variables and a small alpha",
                          .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Theorem 8",
                          .by_default = false,
                          .absolute_tolerance = 1e-9,
                          .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_theorem8_slack

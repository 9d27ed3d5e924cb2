#include "spca/measure/encoder_metrics.h"
#include "spca/methods/encoders/linear_encoder.h"

namespace spca::metric_loss_bound_theorem6 {
namespace {

std::vector<double> loss_bound_theorem6(const MetricContext& context) {
  return {
      deterministic_loss_bound(std::ssize(context.components), row_sparsity(context.components))};
}

SPCA_METRIC("loss_bound_theorem6", loss_bound_theorem6,
            (MetricTraits{.unit = "",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "1 + (1 - sqrt(r/k))^-2 for k = row_sparsity > r: a bound on "
                                     "the information_loss of the deterministic encoder-batch",
                          .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Theorems 5 and 6 (i)",
                          .by_default = false,
                          .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_loss_bound_theorem6

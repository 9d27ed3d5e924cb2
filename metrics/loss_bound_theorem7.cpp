#include "spca/measure/encoder_metrics.h"
#include "spca/methods/encoders/linear_encoder.h"

namespace spca::metric_loss_bound_theorem7 {
namespace {

std::vector<double> loss_bound_theorem7(const MetricContext& context) {
  return {expected_loss_bound(std::ssize(context.components), row_sparsity(context.components))};
}

SPCA_METRIC("loss_bound_theorem7", loss_bound_theorem7,
            (MetricTraits{
                .unit = "",
                .direction = Direction::kLowerIsBetter,
                .formula = "1 + 5r / (k - 5r) for k = row_sparsity > 5r: a bound on the expected "
                           "information_loss of encoder-batch-random",
                .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Theorem 7",
                .by_default = false,
                .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_loss_bound_theorem7

#include "spca/measure/encoder_metrics.h"

namespace spca::metric_information_loss_bound {
namespace {

std::vector<double> information_loss_bound(const MetricContext& context) {
  return {least_loss_bound(context, row_sparsity(context.components))};
}

SPCA_METRIC(
    "information_loss_bound", information_loss_bound,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kHigherIsBetter,
        .formula = "lower bound on information_loss for any encoder with as many components "
                   "and as many nonzero rows; after 20 s the bound so far; p <= 64",
        .source = "this project; Magdon-Ismail, Boutsidis, NIPS 2016",
        .by_default = false,
        .relative_tolerance = 1e-3,
        .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_information_loss_bound

#include "spca/measure/encoder_metrics.h"

namespace spca::metric_information_loss_bound_fewer {
namespace {

std::vector<double> information_loss_bound_fewer(const MetricContext& context) {
  return {least_loss_bound(context, row_sparsity(context.components) - 1)};
}

SPCA_METRIC(
    "information_loss_bound_fewer", information_loss_bound_fewer,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kHigherIsBetter,
        .formula = "lower bound on information_loss for any encoder with as many components "
                   "and one nonzero row less; after 20 s the bound so far; p <= 64",
        .source = "this project; Magdon-Ismail, Boutsidis, NIPS 2016",
        .by_default = false,
        .relative_tolerance = 1e-3,
        .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_information_loss_bound_fewer

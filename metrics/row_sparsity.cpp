#include "spca/measure/encoder_metrics.h"

namespace spca::metric_row_sparsity {
namespace {

std::vector<double> count_rows(const MetricContext& context) {
  return {static_cast<double>(row_sparsity(context.components))};
}

SPCA_METRIC("row_sparsity", count_rows,
            (MetricTraits{.unit = "",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "number of variables in any component: nonzero rows of V",
                          .source = "Magdon-Ismail, Boutsidis, NIPS 2016",
                          .by_default = false,
                          .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_row_sparsity

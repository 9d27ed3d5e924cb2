#include "spca/measure/classification/held_out_metrics.h"

namespace spca::metric_held_out_error_se {
namespace {

std::vector<double> measure_standard_error(const MetricContext& context) {
  return {held_out_error_of_scores(context).standard_error};
}

SPCA_METRIC("held_out_error_se", measure_standard_error,
            (MetricTraits{.unit = "",
                          .direction = Direction::kNone,
                          .formula = "standard error of held_out_error: the standard deviation of "
                                     "the folds' rates over the root of their number",
                          .source = "Magdon-Ismail, Boutsidis, NIPS 2016",
                          .by_default = false,
                          .absolute_tolerance = 0.01,
                          .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_held_out_error_se

#include "spca/measure/classification/held_out_metrics.h"

namespace spca::metric_held_out_error_of_all_variables_se {
namespace {

std::vector<double> measure_standard_error_of_variables(const MetricContext& context) {
  return {held_out_error_of_variables(context).standard_error};
}

SPCA_METRIC("held_out_error_of_all_variables_se", measure_standard_error_of_variables,
            (MetricTraits{.unit = "",
                          .direction = Direction::kNone,
                          .formula = "standard error of held_out_error_of_all_variables, as "
                                     "held_out_error_se is of held_out_error",
                          .source = "Magdon-Ismail, Boutsidis, NIPS 2016",
                          .by_default = false,
                          .absolute_tolerance = 0.01,
                          .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_held_out_error_of_all_variables_se

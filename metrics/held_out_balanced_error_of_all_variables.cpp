#include "spca/measure/classification/held_out_metrics.h"

namespace spca::metric_held_out_balanced_error_of_all_variables {
namespace {

std::vector<double> measure_balanced_error(const MetricContext& context) {
  return {held_out_error_of_variables(context).balanced};
}

SPCA_METRIC("held_out_balanced_error_of_all_variables", measure_balanced_error,
            (MetricTraits{
                .unit = "",
                .direction = Direction::kLowerIsBetter,
                .formula = "mean over the classes of the share of their samples that is missed, "
                           "on X itself, folds and machine of held_out_error_of_all_variables: 1/2 "
                           "for the classifier that always names the larger of two "
                           "classes",
                .source = "Brodersen, Ong, Stephan, Buhmann, The balanced accuracy and its "
                          "posterior distribution, ICPR 2010",
                .by_default = false,
                .absolute_tolerance = 0.01}));

}  // namespace
}  // namespace spca::metric_held_out_balanced_error_of_all_variables

#include "spca/measure/classification/held_out_metrics.h"

namespace spca::metric_held_out_error_gaussian_of_all_variables {
namespace {

std::vector<double> measure_gaussian_error_of_variables(const MetricContext& context) {
  return {held_out_error_of_variables(context, kGaussianMachine).mean};
}

SPCA_METRIC("held_out_error_gaussian_of_all_variables", measure_gaussian_error_of_variables,
            (MetricTraits{
                .unit = "",
                .direction = Direction::kLowerIsBetter,
                .formula = "held_out_error_gaussian of the same machine and folds on X itself, for "
                           "any loadings; a variable with one value (0 if X is sparse) in more "
                           "than half of the samples is scaled but not centred",
                .source = "Magdon-Ismail, Boutsidis, NIPS 2016; the machine by LIBSVM, Chang, Lin, "
                          "ACM Transactions on Intelligent Systems and Technology 2, 2011",
                .by_default = false,
                .absolute_tolerance = 0.01}));

}  // namespace
}  // namespace spca::metric_held_out_error_gaussian_of_all_variables

#include "spca/measure/classification/held_out_metrics.h"

namespace spca::metric_held_out_error_gaussian_of_all_variables_unstratified {
namespace {

std::vector<double> measure_unstratified_error(const MetricContext& context) {
  Machine machine = kGaussianMachine;
  machine.stratified = false;
  return {held_out_error_of_variables(context, machine).mean};
}

SPCA_METRIC("held_out_error_gaussian_of_all_variables_unstratified", measure_unstratified_error,
            (MetricTraits{
                .unit = "",
                .direction = Direction::kLowerIsBetter,
                .formula = "held_out_error_gaussian_of_all_variables with folds at random: the "
                           "classes have other proportions in each",
                .source = "Magdon-Ismail, Boutsidis, NIPS 2016; the machine by LIBSVM, Chang, Lin, "
                          "ACM Transactions on Intelligent Systems and Technology 2, 2011",
                .by_default = false,
                .absolute_tolerance = 0.01}));

}  // namespace
}  // namespace spca::metric_held_out_error_gaussian_of_all_variables_unstratified

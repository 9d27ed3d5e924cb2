#include "spca/measure/classification/held_out_metrics.h"

namespace spca::metric_held_out_error_balanced_costs {
namespace {

std::vector<double> measure_error_of_balanced_costs(const MetricContext& context) {
  return {
      held_out_error_of_scores(context, {.kernel = Machine::Kernel::kGaussian, .balanced = true})
          .mean};
}

SPCA_METRIC("held_out_error_balanced_costs", measure_error_of_balanced_costs,
            (MetricTraits{
                .unit = "",
                .direction = Direction::kLowerIsBetter,
                .formula = "held_out_error_gaussian with C times n / (c n_j) for the n_j of n "
                           "samples in class j of c",
                .source = "Magdon-Ismail, Boutsidis, NIPS 2016; the machine by LIBSVM, Chang, Lin, "
                          "ACM Transactions on Intelligent Systems and Technology 2, 2011",
                .by_default = false,
                .absolute_tolerance = 0.01}));

}  // namespace
}  // namespace spca::metric_held_out_error_balanced_costs

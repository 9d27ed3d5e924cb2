#include "spca/measure/classification/held_out_metrics.h"

namespace spca::metric_held_out_error_unscaled_hinge {
namespace {

std::vector<double> measure_unscaled_hinge_error(const MetricContext& context) {
  return {held_out_error_of_scores(
              context, {.kernel = Machine::Kernel::kHinge, .cost = 0.01, .scaled = false})
              .mean};
}

SPCA_METRIC("held_out_error_unscaled_hinge", measure_unscaled_hinge_error,
            (MetricTraits{
                .unit = "",
                .direction = Direction::kLowerIsBetter,
                .formula = "held_out_error_unscaled with the hinge loss itself, and without a "
                           "penalty on the bias",
                .source = "Magdon-Ismail, Boutsidis, NIPS 2016; the machine by LIBSVM, Chang, Lin, "
                          "ACM Transactions on Intelligent Systems and Technology 2, 2011",
                .by_default = false,
                .absolute_tolerance = 0.01}));

}  // namespace
}  // namespace spca::metric_held_out_error_unscaled_hinge

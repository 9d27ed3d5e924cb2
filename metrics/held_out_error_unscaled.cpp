#include "spca/measure/classification/held_out_metrics.h"

namespace spca::metric_held_out_error_unscaled {
namespace {

std::vector<double> measure_unscaled_error(const MetricContext& context) {
  return {held_out_error_of_scores(context, {.cost = 0.01, .scaled = false}).mean};
}

SPCA_METRIC("held_out_error_unscaled", measure_unscaled_error,
            (MetricTraits{
                .unit = "",
                .direction = Direction::kLowerIsBetter,
                .formula = "held_out_error with C = .01 on the scores as they are, neither centred "
                           "nor scaled",
                .source = "Magdon-Ismail, Boutsidis, NIPS 2016; the machine by LIBLINEAR, Fan, "
                          "Chang, Hsieh, Wang, Lin, JMLR 2008",
                .by_default = false,
                .absolute_tolerance = 0.01}));

}  // namespace
}  // namespace spca::metric_held_out_error_unscaled

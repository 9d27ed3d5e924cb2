#include "spca/measure/classification/held_out_metrics.h"

namespace spca::metric_held_out_error {
namespace {

std::vector<double> measure_held_out_error(const MetricContext& context) {
  return {held_out_error_of_scores(context).mean};
}

SPCA_METRIC(
    "held_out_error", measure_held_out_error,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kLowerIsBetter,
        .formula =
            "mean misclassification rate over 10 stratified folds of a linear support vector "
            "machine (squared hinge, C = 1) on the scores XV; the seed of the repeat fixes "
            "the folds; scaling and machine see the other folds alone, the loadings V saw "
            "all samples, without their classes",
        .source = "Magdon-Ismail, Boutsidis, NIPS 2016; the machine by LIBLINEAR, Fan, Chang, "
                  "Hsieh, Wang, Lin, JMLR 2008",
        .by_default = false,
        .absolute_tolerance = 0.01}));

}  // namespace
}  // namespace spca::metric_held_out_error

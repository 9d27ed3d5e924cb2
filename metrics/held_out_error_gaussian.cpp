#include "spca/measure/classification/held_out_metrics.h"

namespace spca::metric_held_out_error_gaussian {
namespace {

std::vector<double> measure_gaussian_error(const MetricContext& context) {
  return {held_out_error_of_scores(context, kGaussianMachine).mean};
}

SPCA_METRIC(
    "held_out_error_gaussian", measure_gaussian_error,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kLowerIsBetter,
        .formula =
            "held_out_error with a Gaussian kernel of width 1, exp(-d^2 / 2), hinge loss and C = 1",
        .source = "Magdon-Ismail, Boutsidis, NIPS 2016; the machine by LIBSVM, Chang, Lin, ACM "
                  "Transactions on Intelligent Systems and Technology 2, 2011",
        .by_default = false,
        .absolute_tolerance = 0.01}));

}  // namespace
}  // namespace spca::metric_held_out_error_gaussian

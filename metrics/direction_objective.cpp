#include "spca/measure/penalised_metrics.h"

namespace spca::metric_direction_objective {
namespace {

std::vector<double> direction_objective(const MetricContext& context) {
  return {value_of_direction(context)};
}

SPCA_METRIC(
    "direction_objective", direction_objective,
    (MetricTraits{
        .unit = "variance",
        .direction = Direction::kHigherIsBetter,
        .formula =
            "sum_i ((a_i'x)^2 - rho)_+ for the shortest x of which v is a multiple of A_J'x, "
            "J the support of v, ||x|| = 1: with v_i = a_i'x / c, c^2 = 1 / v_J'(S_JJ)^+v_J. "
            "For homotopy with answer EVD it is f_EVD. One component",
        .source = "Journee, Bach, Absil, Sepulchre 2010, problem (3) and section 3",
        .by_default = false}));

}  // namespace
}  // namespace spca::metric_direction_objective

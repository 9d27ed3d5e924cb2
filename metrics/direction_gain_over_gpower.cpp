#include "spca/measure/penalised_metrics.h"

namespace spca::metric_direction_gain_over_gpower {
namespace {

std::vector<double> direction_gain_over_gpower(const MetricContext& context) {
  return {gain_in_percent(value_of_direction(context), value_of_gpower(context))};
}

SPCA_METRIC("direction_gain_over_gpower", direction_gain_over_gpower,
            (MetricTraits{.unit = "%",
                          .direction = Direction::kHigherIsBetter,
                          .formula = "100 (f - f_A) / f_A, f the direction_objective and f_A the "
                                     "value of gpower-l0 as in gain_over_gpower",
                          .source = "Journee, Bach, Absil, Sepulchre 2010, Table 1",
                          .by_default = false,
                          .absolute_tolerance = 1e-4}));

}  // namespace
}  // namespace spca::metric_direction_gain_over_gpower

#include "spca/measure/penalised_metrics.h"

namespace spca::metric_gain_over_gpower {
namespace {

std::vector<double> gain_over_gpower(const MetricContext& context) {
  return {gain_in_percent(value_of_loadings(context), value_of_gpower(context))};
}

SPCA_METRIC("gain_over_gpower", gain_over_gpower,
            (MetricTraits{.unit = "%",
                          .direction = Direction::kHigherIsBetter,
                          .formula = "100 (f - f_A) / f_A, f = v'Sv - rho ||v||_0 and f_A the same "
                                     "of gpower-l0 with this rho on the same data, solved here: a "
                                     "gain that is paired by instance. One component",
                          .source = "Journee, Bach, Absil, Sepulchre 2010, Table 1",
                          .by_default = false,
                          .absolute_tolerance = 1e-4}));

}  // namespace
}  // namespace spca::metric_gain_over_gpower

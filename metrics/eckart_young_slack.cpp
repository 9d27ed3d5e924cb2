#include "spca/measure/encoder_metrics.h"

namespace spca::metric_eckart_young_slack {
namespace {

std::vector<double> measured(const MetricContext& context) { return {eckart_young_slack(context)}; }

SPCA_METRIC("eckart_young_slack", measured,
            (MetricTraits{.unit = "",
                          .direction = Direction::kNone,
                          .formula = "(||X_r||_F^2 - ||XH(XH)^+X||_F^2) / ||X||_F^2, H = V: no "
                                     "encoder captures more than PCA, so that information_loss is "
                                     "at least 1",
                          .source = "Eckart, Young, Psychometrika 1, 1936",
                          .by_default = false,
                          .absolute_tolerance = 1e-9}));

}  // namespace
}  // namespace spca::metric_eckart_young_slack

#include "spca/measure/encoder_metrics.h"
#include "spca/measure/metric_formulas.h"

namespace spca::metric_eckart_young_slack {
namespace {

std::vector<double> eckart_young_slack(const MetricContext& context) {
  return {(pca_variance(context) - captured_variance(context)) /
          context.covariance.total_variance()};
}

SPCA_METRIC("eckart_young_slack", eckart_young_slack,
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

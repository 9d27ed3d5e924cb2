#include "spca/measure/encoder_metrics.h"
#include "spca/measure/metric_formulas.h"

namespace spca::metric_theorem8_variance_slack {
namespace {

std::vector<double> theorem8_variance_slack(const MetricContext& context) {
  const double total = context.covariance.total_variance();
  const double largest = pca_variance(context);
  const double share = static_cast<double>(context.components.size()) /
                       static_cast<double>(row_sparsity(context.components));
  return {(largest - share * (total - largest) - projected_variance_sum(context)) / total};
}

SPCA_METRIC("theorem8_variance_slack", theorem8_variance_slack,
            (MetricTraits{.unit = "",
                          .direction = Direction::kNone,
                          .formula = "(||X_r||_F^2 - r / row_sparsity ||X - X_r||_F^2 - "
                                     "||XHH^+||_F^2) / ||X||_F^2, H = V: on the data set "
                                     "lower-bound with alpha at most 1 at least 0 for one "
                                     "component of fewer nonzeros than variables",
                          .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Theorem 8, the form for "
                                    "symmetric explained variance",
                          .by_default = false,
                          .absolute_tolerance = 1e-9,
                          .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_theorem8_variance_slack

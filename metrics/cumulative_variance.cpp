#include "spca/measure/metrics.h"

namespace spca::metric_cumulative_variance {
namespace {

std::vector<double> cumulative_variance(const MetricContext& context) {
  std::vector<double> sums;
  double sum = 0;
  for (const double variance : context.variances.of_components()) {
    // The plain sum. The formula of explained_variance says what it means for overlapping loadings.
    sum += variance;
    sums.push_back(sum);
  }
  return sums;
}

SPCA_METRIC("cumulative_variance", cumulative_variance,
            (MetricTraits{.unit = "variance",
                          .direction = Direction::kHigherIsBetter,
                          .formula = "v_1'Sv_1 + ... + v_j'Sv_j for j = 1..r",
                          .per_component = true,
                          .last_is_total = true}));

}  // namespace
}  // namespace spca::metric_cumulative_variance

#include <algorithm>
#include <cmath>
#include <numbers>

#include "spca/measure/encoder_metrics.h"
#include "spca/measure/metric_formulas.h"

namespace spca::metric_loss_bound_theorem11 {
namespace {

std::vector<double> loss_bound_theorem11(const MetricContext& context) {
  const auto r = static_cast<double>(context.components.size());
  // The least epsilon for which no component is sparser than 5 + ceil(5 j / epsilon).
  double epsilon = 0;
  double j = 0;
  for (const Component& component : context.components) {
    const auto spare = static_cast<double>(component.cardinality() - 5);
    if (spare <= 0) {
      return {kNotMeasured};
    }
    j += 1;
    epsilon = std::max(epsilon, 5 * j / spare);
  }
  const double leading = pca_variance(context);
  // If X has rank r, PCA loses nothing, and the ratio is not defined.
  const double rest = context.covariance.total_variance() - leading;
  if (!(rest > kRankTolerance * context.covariance.total_variance())) {
    return {kNotMeasured};
  }
  return {std::pow(std::numbers::e * r, epsilon) +
          epsilon * std::pow(r, 1 + epsilon) * (leading - context.spectrum.leading(1)[0]) / rest};
}

SPCA_METRIC(
    "loss_bound_theorem11", loss_bound_theorem11,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kLowerIsBetter,
        .formula = "(e r)^eps + eps r^(1 + eps) ||X_r - X_1||_F^2 / ||X - X_r||_F^2, eps the least "
                   "with cardinality k_j >= 5 + ceil(5 j / eps) for all j: what the expected "
                   "information_loss of encoder-iterative with random columns may not exceed",
        .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Theorem 11",
        .by_default = false,
        .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_loss_bound_theorem11

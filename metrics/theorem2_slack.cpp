#include <algorithm>

#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_theorem2_slack {
namespace {

/// An upper bound on the rank of X.
double rank_at_most(const Covariance& covariance) {
  const Index varying = (covariance.diagonal().array() > 0).count();
  const Index samples = covariance.samples() - (covariance.is_centered() ? 1 : 0);
  return static_cast<double>(covariance.samples() > 0 ? std::min(varying, samples) : varying);
}

std::vector<double> theorem2_slack(const MetricContext& context) {
  const double total = context.covariance.total_variance();
  const double largest = pca_variance(context);
  const double rest = total - largest;
  if (!(rest > kRankTolerance * total)) {
    return {kNotMeasured};
  }
  const auto r = static_cast<double>(context.components.size());
  const double explained = projected_variance_sum(context);
  const double epsilon = (total - explained) / rest - 1;
  const double guaranteed = (1 - (rank_at_most(context.covariance) - r) / r * epsilon) * largest;
  return {(explained - guaranteed) / total};
}

SPCA_METRIC("theorem2_slack", theorem2_slack,
            (MetricTraits{
                .unit = "",
                .direction = Direction::kNone,
                .formula = "(||XHH^+||_F^2 - (1 - (rank - r) eps / r) ||X_r||_F^2) / ||X||_F^2, "
                           "1 + eps = ||X - XHH^+||_F^2 / ||X - X_r||_F^2, H = V: an encoder near "
                           "PCA in loss is near it in variance; rank is at most the number of "
                           "samples and of variables that vary",
                .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Theorem 2",
                .by_default = false,
                .absolute_tolerance = 1e-9}));

}  // namespace
}  // namespace spca::metric_theorem2_slack

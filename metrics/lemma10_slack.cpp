#include <algorithm>
#include <limits>

#include "spca/covariance/residual_covariance.h"
#include "spca/measure/encoder_metrics.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::metric_lemma10_slack {
namespace {

/// The residual of S: its trace is the error of the encoder so far.
std::vector<double> lemma10_slack(const MetricContext& context) {
  const double total = context.covariance.total_variance();
  ResidualCovariance residual(context.covariance);
  double least = std::numeric_limits<double>::infinity();
  for (const Component& component : context.components) {
    const auto k = static_cast<double>(component.cardinality());
    if (k <= 5) {
      return {kNotMeasured};
    }
    const double error = residual.total_variance();
    const double largest = leading_eigenvalues(residual, 1)[0];
    residual.remove(component);
    const double guaranteed = (1 + 5 / (k - 5)) * (error - largest);
    least = std::min(least, (guaranteed - residual.total_variance()) / total);
  }
  return {least};
}

SPCA_METRIC(
    "lemma10_slack", lemma10_slack,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kNone,
        .formula = "min_j ((1 + 5 / (k_j - 5)) (||D_j||_F^2 - ||D_j||_2^2) - "
                   "||D_{j+1}||_F^2) / ||X||_F^2, D_j the residual of X after the first j "
                   "components, k_j > 5 the cardinality of the next: in the mean not below 0 "
                   "for a step of encoder-iterative with random columns",
        .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Lemma 10",
        .by_default = false,
        .absolute_tolerance = 1e-9,
        .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_lemma10_slack

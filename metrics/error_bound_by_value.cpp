#include <algorithm>
#include <cmath>

#include "spca/measure/approximation_guarantee.h"

namespace spca::metric_error_bound_by_value {
namespace {

/// lambda_1^(k) is at least the variance of the answer, and at least that of any single variable.
std::vector<double> error_bound_by_value(const MetricContext& context) {
  const double discarded = discarded_eigenvalue(context);
  if (std::isnan(discarded)) {
    return {kNotMeasured};
  }
  const double value = context.variances.of_components()[0];
  return {discarded / std::max(value, context.covariance.diagonal().maxCoeff())};
}

SPCA_METRIC(
    "error_bound_by_value", error_bound_by_value,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kLowerIsBetter,
        .formula =
            "eps_d = lambda_{d+1} / max(v'Sv, max_j S_jj), d the rank on which the solver is "
            "exact: the unknown lambda_1^(k) of the theorem is replaced by the best lower bound "
            "once v is found. For one component",
        .source = "Papailiopoulos, Dimakis, Korokythakis, ICML 2013, Theorem 1, second form",
        .by_default = false,
        .absolute_tolerance = 1e-9}));

}  // namespace
}  // namespace spca::metric_error_bound_by_value

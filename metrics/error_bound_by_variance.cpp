#include "spca/measure/approximation_guarantee.h"

namespace spca::metric_error_bound_by_variance {
namespace {

std::vector<double> error_bound_by_variance(const MetricContext& context) {
  return {discarded_eigenvalue(context) / context.covariance.diagonal().maxCoeff()};
}

SPCA_METRIC(
    "error_bound_by_variance", error_bound_by_variance,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kLowerIsBetter,
        .formula =
            "eps_d = lambda_{d+1} / max_j S_jj, d the rank on which the solver is exact: its "
            "variance is at least (1 - eps_d) times the largest. lambda_1^(1) = max_j S_jj "
            "is the lower bound on lambda_1^(k) before any solve. For one component",
        .source = "Papailiopoulos, Dimakis, Korokythakis, ICML 2013, equation (2), second form",
        .by_default = false,
        .absolute_tolerance = 1e-9}));

}  // namespace
}  // namespace spca::metric_error_bound_by_variance

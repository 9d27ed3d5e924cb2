#include <cmath>

#include "spca/measure/approximation_guarantee.h"

namespace spca::metric_error_bound_by_eigenvalue {
namespace {

/// The k largest entries of u_1 have at least k/p of its squared length, so OPT >= (k/p)
/// lambda_1. An answer with fewer than k nonzeros gives a larger bound that still holds.
std::vector<double> error_bound_by_eigenvalue(const MetricContext& context) {
  const double discarded = discarded_eigenvalue(context);
  if (std::isnan(discarded)) {
    return {kNotMeasured};
  }
  const double variables_each = static_cast<double>(context.covariance.variables()) /
                                static_cast<double>(context.components[0].cardinality());
  return {variables_each * discarded / context.spectrum.leading(1)[0]};
}

SPCA_METRIC(
    "error_bound_by_eigenvalue", error_bound_by_eigenvalue,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kLowerIsBetter,
        .formula =
            "eps_d = (p/k) lambda_{d+1} / lambda_1, k the nonzeros of the answer, d the rank "
            "on which the solver is exact: its variance is at least (1 - eps_d) times the "
            "largest. For one component",
        .source = "Papailiopoulos, Dimakis, Korokythakis, ICML 2013, Theorem 1, first form",
        .by_default = false,
        .absolute_tolerance = 1e-9}));

}  // namespace
}  // namespace spca::metric_error_bound_by_eigenvalue

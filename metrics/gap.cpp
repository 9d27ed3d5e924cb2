#include <cmath>

#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_gap {
namespace {

// Bound and value are sums over the same entries of S in different orders: on equal supports they
// differ by some units in the last place for each of the nonzeros. A bound that lies further below
// the value is wrong, and its gap shows that.
constexpr double kRounding = 1e-12;

/// The projected variance cannot exceed PCA's, and so it never exceeds a correct bound. The plain
/// sum can, if loadings overlap.
std::vector<double> gap(const MetricContext& context) {
  const double share =
      (context.upper_bound - projected_variance_sum(context)) / context.upper_bound;
  return {std::abs(share) <= kRounding ? 0.0 : share};
}

SPCA_METRIC(
    "gap", gap,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kLowerIsBetter,
        .formula = "(upper_bound - value) / upper_bound; the value is projected_variance, which is "
                   "tr(V'SV) for r = 1 and for orthogonal loadings",
        .needs_bound = true,
        .absolute_tolerance = 1e-6}));

}  // namespace
}  // namespace spca::metric_gap

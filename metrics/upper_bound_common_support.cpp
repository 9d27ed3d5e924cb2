/// Metric: an upper bound on the variance of orthonormal components on k common variables, by
/// branch and bound over supports.

#include <algorithm>

#include "spca/measure/metrics.h"
#include "spca/methods/orthogonal/common_support_bound.h"
#include "spca/spectrum/joint_loadings.h"

namespace spca::metric_upper_bound_common_support {
namespace {

std::vector<double> upper_bound_common_support(const MetricContext& context) {
  const Support rows = join_supports(context.components).support;
  const Index k = context.cardinality.empty()
                      ? std::ssize(rows)
                      : *std::min_element(context.cardinality.begin(), context.cardinality.end());
  return {common_support_bound(context.covariance, std::ssize(context.components), k, rows,
                               context.search_seconds)
              .value};
}

SPCA_METRIC(
    "upper_bound_common_support", upper_bound_common_support,
    (MetricTraits{
        .unit = "variance",
        .direction = Direction::kLowerIsBetter,
        .formula = "max over |I| = k of lambda_1 + ... + lambda_r of S_II, or a bound on it: "
                   "an upper bound on the variance of orthonormal components on k common "
                   "variables; after 20 s the bound so far; p > 2000: the k largest variances",
        .source = "this project; the bound on parts: Bourin, Lee, Bull. London Math. Soc. "
                  "2012",
        .by_default = false,
        .relative_tolerance = 1e-3}));

}  // namespace
}  // namespace spca::metric_upper_bound_common_support

#include "spca/measure/orthogonal_variance_bound.h"

namespace spca::metric_upper_bound_orthogonal {
namespace {

constexpr double kBoundAccuracy = 1e-5;  // relative

std::vector<double> upper_bound_orthogonal(const MetricContext& context) {
  return {orthogonal_variance_bound(context, kBoundAccuracy)};
}

SPCA_METRIC(
    "upper_bound_orthogonal", upper_bound_orthogonal,
    (MetricTraits{
        .unit = "variance",
        .direction = Direction::kLowerIsBetter,
        .formula =
            "min over Lambda psd of tr Lambda + sum_t max u'(S - Lambda)u over unit u with "
            "||u_t||_0 <= k_t: an upper bound on the variance of orthonormal loadings of these "
            "cardinalities. Branch and bound follows: over supports, if all can be enumerated, and "
            "over the number of supports that have a variable. After 20 s the bound so far; "
            "p <= 2000",
        .source = "the relaxation: Cory-Wright, Pauphilet, Operations Research 2026",
        .by_default = false,
        .relative_tolerance = 1e-3}));

}  // namespace
}  // namespace spca::metric_upper_bound_orthogonal

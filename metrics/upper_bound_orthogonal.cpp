#include "spca/dense/dense_selections.h"
#include "spca/measure/metrics.h"
#include "spca/methods/orthogonal/orthogonal_bound.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::metric_upper_bound_orthogonal {
namespace {

constexpr double kBoundAccuracy = 1e-5;  // relative
// At most this number of variables, because S is formed.
constexpr Index kMostVariablesBounded = 2000;

std::vector<double> upper_bound_orthogonal(const MetricContext& context) {
  if (context.covariance.variables() > kMostVariablesBounded || context.components.empty()) {
    return {kNotMeasured};
  }
  const Support all = all_variables(context.covariance.variables());
  std::vector<Index> cardinality = context.cardinality;
  std::vector<Support> known;
  for (const Component& component : context.components) {
    if (context.cardinality.empty()) {
      cardinality.push_back(component.cardinality());
    }
    known.push_back(component.support);
  }
  Budget budget({.seconds = context.search_seconds});
  return {orthogonal_bound(context.covariance.submatrix(all), cardinality, known, kBoundAccuracy,
                           budget)
              .value};
}

SPCA_METRIC(
    "upper_bound_orthogonal", upper_bound_orthogonal,
    (MetricTraits{
        .unit = "variance",
        .direction = Direction::kLowerIsBetter,
        .formula =
            "min over Lambda psd of tr Lambda + sum_t max u'(S - Lambda)u over unit u with "
            "||u_t||_0 <= k_t: an upper bound on the variance of orthonormal loadings of these "
            "cardinalities. If all supports can be enumerated, branch and bound over them follows. "
            "After 20 s the bound so far; p <= 2000",
        .source = "the relaxation: Cory-Wright, Pauphilet, Operations Research 2026",
        .by_default = false,
        .relative_tolerance = 1e-3}));

}  // namespace
}  // namespace spca::metric_upper_bound_orthogonal

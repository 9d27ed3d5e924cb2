#include "spca/measure/metrics.h"
#include "spca/methods/bounds/greedy_bound.h"

namespace spca::metric_upper_bound_greedy {
namespace {

std::vector<double> upper_bound_greedy(const MetricContext& context) {
  if (context.components.size() != 1) {
    return {kNotMeasured};
  }
  const Component& component = context.components[0];
  return {greedy_bound(context.covariance, component, component.cardinality()).value};
}

SPCA_METRIC("upper_bound_greedy", upper_bound_greedy,
            (MetricTraits{.unit = "variance",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "min over rho of lambda_max(sum_i Y_i) + rho ||v||_0 with "
                                     "Y_i >= a_i a_i' - rho I, Y_i >= 0 from v, S = A'A, r = 1",
                          .source = "d'Aspremont, Bach, El Ghaoui, JMLR 2008",
                          .by_default = false,
                          .relative_tolerance = 1e-3}));

}  // namespace
}  // namespace spca::metric_upper_bound_greedy

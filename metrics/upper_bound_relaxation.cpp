#include "spca/measure/metrics.h"
#include "spca/methods/bounds/relaxation_bound.h"

namespace spca::metric_upper_bound_relaxation {
namespace {

std::vector<double> upper_bound_relaxation(const MetricContext& context) {
  if (context.components.size() != 1) {
    return {kNotMeasured};
  }
  return {relaxation_bound(context.covariance, context.components[0])};
}

SPCA_METRIC("upper_bound_relaxation", upper_bound_relaxation,
            (MetricTraits{.unit = "variance",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "min over rho of rho ||v||_0 + max over X of sum_i "
                                     "[lambda_max(X^(1/2)(a_i a_i' - rho I)X^(1/2))]_+, S = A'A, X "
                                     "psd of trace 1, to about 1e-4, r = 1",
                          .source = "d'Aspremont, Bach, El Ghaoui, JMLR 2008; rho by this project",
                          .by_default = false,
                          .relative_tolerance = 1e-3}));

}  // namespace
}  // namespace spca::metric_upper_bound_relaxation

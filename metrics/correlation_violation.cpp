#include <cmath>

#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_correlation_violation {
namespace {

std::vector<double> correlation_violation(const MetricContext& context) {
  const Matrix& products = context.variances.matrix();
  const double scale = context.covariance.total_variance();
  double sum = 0;
  for (Index j = 1; j < products.cols(); ++j) {
    sum += products.col(j).head(j).cwiseAbs().sum();
  }
  return {sum / scale};
}

SPCA_METRIC("correlation_violation", correlation_violation,
            (MetricTraits{.unit = "",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "sum over i < j of |v_i'Sv_j| / tr(S); 0 for r = 1",
                          .source = "R package msPCA 0.5.1, feasibility_violation_off",
                          .by_default = false,
                          .absolute_tolerance = 1e-6}));

}  // namespace
}  // namespace spca::metric_correlation_violation

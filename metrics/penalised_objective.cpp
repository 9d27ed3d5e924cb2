#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_penalised_objective {
namespace {

std::vector<double> penalised_objective(const MetricContext& context) {
  double objective = plain_variance(context);
  for (const Component& component : context.components) {
    objective -= context.penalty * static_cast<double>(component.cardinality());
  }
  return {objective};
}

SPCA_METRIC("penalised_objective", penalised_objective,
            (MetricTraits{
                .unit = "variance",
                .direction = Direction::kHigherIsBetter,
                .formula = "sum_j v_j'Sv_j - rho ||v_j||_0, rho the penalty of the experiment",
                .source = "Journee, Bach, Absil, Sepulchre 2010, problem (2)",
                .by_default = false}));

}  // namespace
}  // namespace spca::metric_penalised_objective

#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_support_recovery {
namespace {

std::vector<double> support_recovery(const MetricContext& context) {
  if (context.truth.empty() || context.components.size() > context.truth.size()) {
    return {kNotMeasured};
  }
  // F1 is 1 exactly for equal supports: 2m / (m + m). The matching then counts the pairs.
  const Matrix same =
      (support_f1_scores(context.components, context.truth).array() == 1.0).cast<double>();
  return {best_matching(same) == static_cast<double>(same.rows()) ? 1.0 : 0.0};
}

SPCA_METRIC(
    "support_recovery", support_recovery,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kHigherIsBetter,
        .formula = "1 if the supports I_1..I_r are those of r distinct components of the truth in "
                   "any order, else 0",
        .absolute_tolerance = 1e-9}));

}  // namespace
}  // namespace spca::metric_support_recovery

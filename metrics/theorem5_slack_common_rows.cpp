#include <algorithm>

#include "spca/measure/encoder_metrics.h"

namespace spca::metric_theorem5_slack_common_rows {
namespace {

std::vector<double> theorem5_slack_common_rows(const MetricContext& context) {
  const std::vector<Component>& components = context.components;
  const Support& rows = components.front().support;
  // Theorem 5 covers only components on common rows.
  const bool common = std::all_of(components.begin(), components.end(),
                                  [&](const Component& each) { return each.support == rows; });
  return {common && std::ssize(rows) >= std::ssize(components) ? slack_on_rows(context)
                                                               : kNotMeasured};
}

SPCA_METRIC("theorem5_slack_common_rows", theorem5_slack_common_rows,
            (MetricTraits{
                .unit = "",
                .direction = Direction::kHigherIsBetter,
                .formula = "theorem5_slack if all r components use the same variables, at least r "
                           "of them, as Theorem 5 requires; otherwise not measured",
                .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Theorem 5",
                .by_default = false,
                .absolute_tolerance = 1e-9}));

}  // namespace
}  // namespace spca::metric_theorem5_slack_common_rows

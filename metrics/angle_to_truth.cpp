#include <algorithm>

#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_angle_to_truth {
namespace {

std::vector<double> angle_to_truth(const MetricContext& context) {
  if (context.truth.empty()) {
    return {kNotMeasured};
  }
  // If fewer components were found than the truth has, only the same number of components of the
  // truth are compared, the first ones.
  const std::size_t count = std::min(context.components.size(), context.truth.size());
  const auto first = context.truth.begin();
  return {largest_principal_angle(context.components,
                                  {first, first + static_cast<std::ptrdiff_t>(count)})};
}

SPCA_METRIC("angle_to_truth", angle_to_truth,
            (MetricTraits{.unit = "radians",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "largest principal angle between span V and the span of the "
                                     "truth's first r components",
                          .absolute_tolerance = 1e-6}));

}  // namespace
}  // namespace spca::metric_angle_to_truth

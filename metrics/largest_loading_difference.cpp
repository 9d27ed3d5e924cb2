#include <algorithm>

#include "spca/dense/sparsify.h"
#include "spca/measure/metrics.h"

namespace spca::metric_largest_loading_difference {
namespace {

double difference(const Component& found, const Component& wanted, Index p) {
  const Vector a = to_dense(found, p);
  const Vector b = to_dense(wanted, p);
  return std::min((a - b).cwiseAbs().maxCoeff(), (a + b).cwiseAbs().maxCoeff());
}

std::vector<double> largest_loading_difference(const MetricContext& context) {
  if (context.truth.empty() || context.components.size() != context.truth.size()) {
    return {kNotMeasured};
  }
  double largest = 0;
  for (std::size_t j = 0; j < context.components.size(); ++j) {
    largest = std::max(largest, difference(context.components[j], context.truth[j],
                                           context.covariance.variables()));
  }
  return {largest};
}

SPCA_METRIC("largest_loading_difference", largest_loading_difference,
            (MetricTraits{.unit = "",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "max_ij |v_ij - t_ij| over the components in their order and "
                                     "each up to its sign, t the truth: loadings that a paper "
                                     "prints, for example",
                          .by_default = false,
                          .absolute_tolerance = 1e-6}));

}  // namespace
}  // namespace spca::metric_largest_loading_difference

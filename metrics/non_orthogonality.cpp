#include <algorithm>

#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_non_orthogonality {
namespace {

std::vector<double> non_orthogonality(const MetricContext& context) {
  const Matrix& gram = context.variances.gram();
  double largest = 0;
  for (Index j = 1; j < gram.cols(); ++j) {
    largest = std::max(largest, gram.col(j).head(j).cwiseAbs().maxCoeff());
  }
  return {largest};
}

SPCA_METRIC("non_orthogonality", non_orthogonality,
            (MetricTraits{.unit = "",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "max over i < j of |v_i'v_j|; 0 for r = 1",
                          .absolute_tolerance = 1e-6}));

}  // namespace
}  // namespace spca::metric_non_orthogonality

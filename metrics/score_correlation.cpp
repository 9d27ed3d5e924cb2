#include <algorithm>
#include <cmath>

#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_score_correlation {
namespace {

std::vector<double> score_correlation(const MetricContext& context) {
  const Matrix& variances = context.variances.matrix();
  double largest = 0;
  for (Index j = 1; j < variances.cols(); ++j) {
    for (Index i = 0; i < j; ++i) {
      const double product = variances(i, i) * variances(j, j);
      // Scores that do not vary are correlated with nothing.
      largest =
          product > 0 ? std::max(largest, std::abs(variances(i, j)) / std::sqrt(product)) : largest;
    }
  }
  return {largest};
}

SPCA_METRIC("score_correlation", score_correlation,
            (MetricTraits{
                .unit = "",
                .direction = Direction::kLowerIsBetter,
                .formula = "max over i < j of |v_i'Sv_j| / sqrt(v_i'Sv_i v_j'Sv_j); 0 for r = 1",
                .absolute_tolerance = 1e-6}));

}  // namespace
}  // namespace spca::metric_score_correlation

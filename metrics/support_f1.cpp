#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_support_f1 {
namespace {

std::vector<double> support_f1(const MetricContext& context) {
  if (context.truth.empty() || context.components.size() > context.truth.size()) {
    return {kNotMeasured};
  }
  // The order of the components has no meaning, so the best matching counts.
  return {best_matching(support_f1_scores(context.components, context.truth)) /
          static_cast<double>(context.components.size())};
}

SPCA_METRIC("support_f1", support_f1,
            (MetricTraits{.unit = "",
                          .direction = Direction::kHigherIsBetter,
                          .formula = "mean over j of 2 |I_j and J_m(j)| / (|I_j| + |J_m(j)|), J "
                                     "the supports of the truth, m "
                                     "the best matching",
                          .absolute_tolerance = 1e-9}));

}  // namespace
}  // namespace spca::metric_support_f1

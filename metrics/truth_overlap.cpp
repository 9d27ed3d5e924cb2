#include <algorithm>
#include <iterator>

#include "spca/measure/metric_formulas.h"
#include "spca/measure/metrics.h"

namespace spca::metric_truth_overlap {
namespace {

std::vector<double> truth_overlap(const MetricContext& context) {
  if (context.truth.empty() || context.components.size() > context.truth.size()) {
    return {kNotMeasured};
  }
  Matrix shared(context.components.size(), context.truth.size());
  double all = 0;
  for (std::size_t j = 0; j < context.truth.size(); ++j) {
    const Support& printed = context.truth[j].support;
    all += static_cast<double>(printed.size());
    for (std::size_t i = 0; i < context.components.size(); ++i) {
      const Support& ours = context.components[i].support;
      Support both;
      std::set_intersection(ours.begin(), ours.end(), printed.begin(), printed.end(),
                            std::back_inserter(both));
      shared(static_cast<Index>(i), static_cast<Index>(j)) = static_cast<double>(both.size());
    }
  }
  return {best_matching(shared) / all};
}

SPCA_METRIC("truth_overlap", truth_overlap,
            (MetricTraits{.unit = "",
                          .direction = Direction::kHigherIsBetter,
                          .formula = "sum over j of |I_j and J_m(j)| over sum of all |J|, J the "
                                     "supports of the truth, m the best matching: the share of the "
                                     "truth's variables (printed words) that are in the matched "
                                     "component",
                          .by_default = false,
                          .absolute_tolerance = 1e-9}));

}  // namespace
}  // namespace spca::metric_truth_overlap

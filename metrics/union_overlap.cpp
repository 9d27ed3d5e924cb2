#include <set>

#include "spca/measure/metrics.h"

namespace spca::metric_union_overlap {
namespace {

std::vector<double> union_overlap(const MetricContext& context) {
  std::set<Index> printed;
  for (const Component& component : context.truth) {
    printed.insert(component.support.begin(), component.support.end());
  }
  if (printed.empty()) {
    return {kNotMeasured};
  }
  std::set<Index> found;
  for (const Component& component : context.components) {
    for (const Index i : component.support) {
      if (printed.count(i) > 0) {
        found.insert(i);
      }
    }
  }
  return {static_cast<double>(found.size()) / static_cast<double>(printed.size())};
}

SPCA_METRIC("union_overlap", union_overlap,
            (MetricTraits{.unit = "",
                          .direction = Direction::kHigherIsBetter,
                          .formula = "share of the variables of the truth that are in any "
                                     "component",
                          .by_default = false,
                          .absolute_tolerance = 1e-9}));

}  // namespace
}  // namespace spca::metric_union_overlap

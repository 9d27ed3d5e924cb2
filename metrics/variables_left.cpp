#include <algorithm>

#include "spca/base/tolerances.h"
#include "spca/covariance/deflation.h"
#include "spca/measure/metrics.h"
#include "spca/methods/spannogram/elimination_by_boxes.h"
#include "spca/methods/spannogram/support_search.h"
#include "spca/spectrum/eigen_memory.h"
#include "spca/spectrum/low_rank.h"

namespace spca::metric_variables_left {
namespace {

// The elimination halves boxes of d - 1 sides: beyond this rank nearly all variables remain.
constexpr Index kLargestMeasured = 4;

/// Returns the number of variables that the elimination of the solver spannogram leaves, with
/// candidates of ascents alone.
double variables_left(const Covariance& covariance, Index rank, Index k) {
  const LowRank low_rank = low_rank_approximation(covariance, rank);
  const std::vector<int> variables = nonzero_rows(low_rank.factor);
  SupportSearch supports(covariance, low_rank, true);
  supports.consider_ascents(std::min(k, static_cast<Index>(variables.size())));
  const double best = supports.best_low_rank_value();
  const double floor = std::min(best, supports.best_value() - low_rank.residual);
  return static_cast<double>(eliminate_by_boxes(low_rank.factor, k, variables,
                                                floor - kRoundingLoss * best, Keep::kEveryCandidate)
                                 .size());
}

bool overlap(const Support& one, const Support& other) {
  return std::any_of(one.begin(), one.end(),
                     [&](Index i) { return std::binary_search(other.begin(), other.end(), i); });
}

/// Returns the largest number over the components. The deflation of the answer is unknown here:
/// S is deflated by removal, and only disjoint components are measured.
std::vector<double> most_variables_left(const MetricContext& context) {
  if (context.rank < 1 || context.rank > kLargestMeasured) {
    return {kNotMeasured};
  }
  const DeflationEntry& removal = DeflationRegistry::instance().get("remove-support", "deflation");
  // Not owned: the covariance lives as long as the context.
  std::shared_ptr<const Covariance> rest(std::shared_ptr<const Covariance>(), &context.covariance);
  const EigenMemory memory(context.covariance);
  double most = 0;
  for (std::size_t j = 0; j < context.components.size(); ++j) {
    const Component& component = context.components[j];
    for (std::size_t earlier = 0; earlier < j; ++earlier) {
      if (overlap(component.support, context.components[earlier].support)) {
        return {kNotMeasured};
      }
    }
    most = std::max(most, variables_left(*rest, context.rank, component.cardinality()));
    rest = removal.deflate(rest, component);
  }
  return {most};
}

SPCA_METRIC(
    "variables_left", most_variables_left,
    (MetricTraits{
        .unit = "variables",
        .direction = Direction::kLowerIsBetter,
        .formula =
            "largest number of variables that the elimination of the spannogram leaves for "
            "a component, at the solver's rank d <= 4; the components before are removed. NaN "
            "if they overlap",
        .source = "Papailiopoulos, Dimakis, Korokythakis, ICML 2013, sections 2.1 and 4.3",
        .by_default = false,
        .relative_tolerance = 0.05,
        .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_variables_left

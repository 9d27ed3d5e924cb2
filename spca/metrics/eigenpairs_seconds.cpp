#include "spca/metrics.h"

namespace spca {
namespace {

std::vector<double> eigenpairs_seconds(const MetricContext& context) {
  const auto phase = context.cost.phases.find("eigenpairs");
  return {phase == context.cost.phases.end() ? kNotMeasured : phase->second};
}

SPCA_METRIC(
    "eigenpairs_seconds", eigenpairs_seconds,
    (MetricTraits{
        .unit = "s",
        .direction = Direction::kLowerIsBetter,
        .formula = "wall time of leading eigenpairs, within solve_seconds; of solvers that name it",
        .timing = true,
        .by_default = false,
        .absolute_tolerance = 0.05,
        .relative_tolerance = 0.5,
        .gate = Gate::kSameMachineOnly}));

}  // namespace
}  // namespace spca

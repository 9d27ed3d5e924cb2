#include "spca/measure/metric_formulas.h"

namespace spca::metric_eigenpairs_seconds {
namespace {

/// Only solvers that call Budget::phases().finish("eigenpairs") have this phase.
std::vector<double> eigenpairs_seconds(const MetricContext& context) {
  const auto phase = context.cost.phases.find("eigenpairs");
  return {phase == context.cost.phases.end() ? kNotMeasured : phase->second};
}

SPCA_METRIC(
    "eigenpairs_seconds", eigenpairs_seconds,
    seconds_traits("wall time of leading eigenpairs, within solve_seconds; not all solvers time it",
                   WhenMeasured::kIfNamed));

}  // namespace
}  // namespace spca::metric_eigenpairs_seconds

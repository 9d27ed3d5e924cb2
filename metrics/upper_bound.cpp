#include "spca/measure/metrics.h"

namespace spca::metric_upper_bound {
namespace {

std::vector<double> upper_bound(const MetricContext& context) { return {context.upper_bound}; }

SPCA_METRIC(
    "upper_bound", upper_bound,
    (MetricTraits{
        .unit = "variance",
        .direction = Direction::kLowerIsBetter,
        .formula = "a checked upper bound on the largest tr(V'SV) over feasible orthonormal V",
        .needs_bound = true}));

}  // namespace
}  // namespace spca::metric_upper_bound

#include "spca/measure/metric_formulas.h"

namespace spca::metric_cpu_seconds {
namespace {

std::vector<double> cpu_seconds(const MetricContext& context) { return {context.cost.cpu_seconds}; }

SPCA_METRIC("cpu_seconds", cpu_seconds, seconds_traits("processor time of the solve, all threads"));

}  // namespace
}  // namespace spca::metric_cpu_seconds

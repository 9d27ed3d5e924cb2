#include "spca/measure/metrics.h"

namespace spca::metric_peak_bytes {
namespace {

/// The allocator and the page size account for some megabytes, so the tolerance is wide.
std::vector<double> peak_bytes(const MetricContext& context) { return {context.cost.peak_bytes}; }

SPCA_METRIC("peak_bytes", peak_bytes,
            (MetricTraits{.unit = "bytes",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "resident memory that the solve adds at its highest; of a "
                                     "peer, all of its program",
                          .timing = true,
                          .by_default = false,
                          .needs_peak = true,
                          .absolute_tolerance = 0x1p24,
                          .relative_tolerance = 0.25,
                          .gate = Gate::kSameMachineOnly}));

}  // namespace
}  // namespace spca::metric_peak_bytes

#include "spca/measure/metric_formulas.h"

namespace spca::metric_reading_seconds {
namespace {

std::vector<double> reading_seconds(const MetricContext& context) {
  return {context.cost.reading_seconds};
}

SPCA_METRIC("reading_seconds", reading_seconds,
            seconds_traits("wall time of reading the files of S, or of drawing S",
                           WhenMeasured::kIfNamed));

}  // namespace
}  // namespace spca::metric_reading_seconds

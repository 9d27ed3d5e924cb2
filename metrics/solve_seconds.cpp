#include "spca/measure/metric_formulas.h"

namespace spca::metric_solve_seconds {
namespace {

std::vector<double> solve_seconds(const MetricContext& context) {
  return {context.cost.solve_seconds};
}

SPCA_METRIC("solve_seconds", solve_seconds,
            seconds_traits("wall time of the solve, including the search for a penalty"));

}  // namespace
}  // namespace spca::metric_solve_seconds

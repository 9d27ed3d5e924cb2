#include <cmath>

#include "spca/measure/encoder_metrics.h"

namespace spca::metric_rows_theorem7 {
namespace {

std::vector<double> rows_theorem7(const MetricContext& context) {
  const double excess = normalised_loss(context, captured_variance(context)) - 1;
  const auto five = static_cast<double>(5 * std::ssize(context.components));
  return {excess > 0 ? five + std::ceil(five / excess) : kNotMeasured};
}

SPCA_METRIC("rows_theorem7", rows_theorem7,
            (MetricTraits{.unit = "",
                          .direction = Direction::kNone,
                          .formula = "5r + 5r / (information_loss - 1), rounded up: the least "
                                     "number of rows on which Theorem 7 promises as small a loss",
                          .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Theorem 7",
                          .by_default = false,
                          .relative_tolerance = 1e-3,
                          .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_rows_theorem7

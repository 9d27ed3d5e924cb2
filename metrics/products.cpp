#include "spca/measure/metrics.h"

namespace spca::metric_products {
namespace {

std::vector<double> products(const MetricContext& context) { return {context.cost.products}; }

// As for iterations: rounding on another processor may move the last step of a loop.
SPCA_METRIC("products", products,
            (MetricTraits{.unit = "",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "products of S with a vector during the solve",
                          .absolute_tolerance = 2,
                          .relative_tolerance = 0.05}));

}  // namespace
}  // namespace spca::metric_products

#include "spca/metrics.h"

namespace spca {
namespace {

std::vector<double> products(const MetricContext& context) { return {context.cost.products}; }

SPCA_METRIC("products", products,
            (MetricTraits{.unit = "",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "products of S with a vector during the solve"}));

}  // namespace
}  // namespace spca

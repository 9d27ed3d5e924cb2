#include "spca/measure/approximation_guarantee.h"

#include <algorithm>

namespace spca {

double discarded_eigenvalue(const MetricContext& context) {
  if (context.rank == 0 || context.components.size() != 1 ||
      !(context.covariance.diagonal().maxCoeff() > 0)) {
    return kNotMeasured;
  }
  const Index d = context.rank;
  if (d >= context.covariance.variables()) {
    return 0;
  }
  // A zero eigenvalue may become negative by rounding; the guarantee would then be too strong.
  return std::max(context.spectrum.leading(d + 1)[d], 0.0);
}

}  // namespace spca

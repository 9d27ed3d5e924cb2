#pragma once

#include "spca/measure/metrics.h"

namespace spca {

/// Returns an upper bound on the variance of orthonormal loadings. Their cardinalities are those of
/// the context, or of its components if it names none. It is orthogonal_bound() to the relative
/// `accuracy`, begun from the supports of the components. NaN without components, or if p > 2000,
/// because S is formed.
double orthogonal_variance_bound(const MetricContext& context, double accuracy);

}  // namespace spca

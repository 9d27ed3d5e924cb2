#pragma once

/// Functions that the metrics of held-out error share.

#include "spca/measure/classification/held_out.h"
#include "spca/measure/metrics.h"

namespace spca {

/// Returns the error of the scores XV, with folds drawn from the seed of the repeat; not measured
/// if S itself was given or the samples have no labels.
HeldOutError held_out_error_of_scores(const MetricContext& context);
/// Returns the error of X itself, the reference for features made of few variables.
HeldOutError held_out_error_of_variables(const MetricContext& context);

}  // namespace spca

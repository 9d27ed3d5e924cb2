#pragma once

/// What the metrics of held-out error share.

#include "spca/measure/classification/held_out.h"
#include "spca/measure/metrics.h"

namespace spca {

/// Of the scores XV, folds drawn from the seed of the repeat; not measured where S itself was given
/// or the samples have no labels.
HeldOutError held_out_error_of_scores(const MetricContext& context);
/// The same of X itself, the ceiling for features that are made of few variables.
HeldOutError held_out_error_of_variables(const MetricContext& context);

}  // namespace spca

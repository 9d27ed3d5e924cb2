#pragma once

/// Functions that the metrics of held-out error share.

#include "spca/measure/classification/held_out.h"
#include "spca/measure/metrics.h"

namespace spca {

/// Returns the error of the scores XV, with folds drawn from the seed of the repeat; not measured
/// if S itself was given or the samples have no labels. If `machine.scaled` is false, X is the data
/// without the factor 1 / sqrt(n) of S = X'X; not measured if the data have no such form.
HeldOutError held_out_error_of_scores(const MetricContext& context, const Machine& machine = {});
/// Returns the error of X itself, the reference for features made of few variables.
HeldOutError held_out_error_of_variables(const MetricContext& context, const Machine& machine = {});

/// The machine whose error on all variables is nearest to that of the encoders paper.
inline constexpr Machine kGaussianMachine = {.kernel = Machine::Kernel::kGaussian};

}  // namespace spca

#pragma once

/// What the metrics of linear encoders share. H = V.
///
/// Source  Magdon-Ismail, Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS 2016

#include "spca/held_out.h"
#include "spca/metrics.h"

namespace spca {

/// ||XH(XH)^+X||_F^2 (captured_by_encoder in linear_encoder.h).
double captured_variance(const MetricContext& context);

/// (tr S - captured) / (tr S - lambda_1 - ... - lambda_r); NaN where X has rank r: PCA loses
/// nothing, and the ratio is not defined. Never below 1: rounding above the r largest eigenvalues
/// counts as them.
double normalised_loss(const MetricContext& context, double captured);

/// How many rows of H are not zero.
Index row_sparsity(const std::vector<Component>& components);

/// The bound of Theorem 5, ||X - X_{C,r}||_F^2 / ||X - X_r||_F^2, C the columns of X that are
/// nonzero rows of H: what the best encoder on these rows loses. NaN where they are so many that
/// their columns of S would be too large to hold.
double loss_on_rows(const MetricContext& context);

/// Of the scores XV, folds drawn from the seed of the repeat; not measured where S itself was given
/// or the samples have no labels.
HeldOutError held_out_error_of_scores(const MetricContext& context);

}  // namespace spca

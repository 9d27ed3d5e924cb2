#pragma once

/// What the metrics of linear encoders share. H = V.
///
/// Source  Magdon-Ismail, Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS 2016

#include "spca/measure/metrics.h"

namespace spca {

/// ||XH(XH)^+X||_F^2 (captured_by_encoder in linear_encoder.h).
double captured_variance(const MetricContext& context);

/// (tr S - captured) / (tr S - lambda_1 - ... - lambda_r); NaN where X has rank r: PCA loses
/// nothing, and the ratio is not defined. Never below 1: rounding above the r largest eigenvalues
/// counts as them.
double normalised_loss(const MetricContext& context, double captured);

/// How many rows of H are not zero.
Index row_sparsity(const std::vector<Component>& components);

/// ||X_{C,r}||_F^2, C the columns of X that are nonzero rows of H: what the best encoder on these
/// rows captures. NaN where they are so many that their columns of S would be too large to hold.
double captured_on_rows(const MetricContext& context);

/// (captured_variance - captured_on_rows) / tr S: 0 (to rounding) where H is the best encoder on
/// its rows, as Theorem 5 says of the blackbox, below 0 by what it loses else. Both are taken in
/// one basis of the columns C, whose rounding cancels where columns all but depend on one another.
/// A share of the variance and not of the loss of PCA, which may be rounding.
double slack_on_rows(const MetricContext& context);

/// The same for each component on what the ones before it lose, where the best encoder has one
/// component on the rows of this one: the least of these r numbers. Theorem 5 says that none is
/// below 0 for the iterative algorithm, whose step is the blackbox on a residual.
double least_slack_of_steps(const MetricContext& context);

}  // namespace spca

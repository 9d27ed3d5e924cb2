#pragma once

/// What the metrics of linear encoders share. The paper's H is V.
///
/// Source  Magdon-Ismail, Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS 2016

#include "spca/measure/metrics.h"

namespace spca {

/// Returns ||XH(XH)^+X||_F^2 (captured_by_encoder in linear_encoder.h).
double captured_variance(const MetricContext& context);

/// Returns (tr S - captured) / (tr S - lambda_1 - ... - lambda_r). NaN if X has rank r: PCA then
/// loses nothing, and the ratio is not defined; and if PCA loses less than what the captured variance
/// rounds by. What rounding puts above the sum of the r largest eigenvalues (1e-9 of tr S, or more if
/// scores depend on one another and there is S alone) counts as that sum. By more than that no encoder can be above it
/// (Eckart and Young): the ratio is then below 1, and the law eckart_young_slack is broken.
double normalised_loss(const MetricContext& context, double captured);

/// Returns (lambda_1 + ... + lambda_r - captured variance) / tr S, which Eckart and Young keep from
/// falling below 0. What rounding of the captured variance may put below 0 counts as 0. NaN if S is
/// indefinite beyond rounding: the theorem is one of X, and there is none with X'X = S.
double eckart_young_slack(const MetricContext& context);

/// Returns (e r)^eps + eps r^(1 + eps) ||X_r - X_1||_F^2 / ||X - X_r||_F^2 for the least eps with
/// k_j >= 5 + ceil(5 j / eps) for all j (Theorem 11). NaN if a component has no more than five
/// nonzeros, or if PCA loses nothing.
double theorem11_bound(const MetricContext& context);

/// Returns the number of rows of H that are not zero.
Index row_sparsity(const std::vector<Component>& components);

/// Returns ||X_{C,r}||_F^2: what the best encoder on these rows captures. C is the columns of X
/// that belong to nonzero rows of H. NaN if they are so many that their columns of S would be too
/// large to hold.
double captured_on_rows(const MetricContext& context);

/// Returns (captured_variance - captured_on_rows) / tr S. It is 0 (to rounding) if H is the best
/// encoder on its rows, as Theorem 5 says of the blackbox. Otherwise it is negative, by what H
/// loses.
///
/// NaN if S is indefinite beyond rounding (Covariance::semidefinite_shift()): the theorem is one of X,
/// and there is none with X'X = S.
///
/// What rounding of nearly dependent columns may put below 0 counts as 0, and so does what the
/// directions may hold in which S does not tell them from dependent ones.
///
/// Both are taken in one basis of the columns C, which is built here, by Gram and Schmidt, and not as
/// the solvers build theirs. Its rounding then cancels if columns all but
/// depend on one another. The slack is a share of the variance and not of the loss of PCA, which
/// may be rounding.
double slack_on_rows(const MetricContext& context);

/// Returns the least of r slacks, one for each component. Each is the slack of that component, on
/// its own rows, in what the components before it leave. Theorem 5 says that none is below 0 for
/// the iterative algorithm, whose step is the blackbox on a residual. NaN as slack_on_rows() is.
double least_slack_of_steps(const MetricContext& context);

/// Returns a lower bound on the normalised loss of every encoder with as many components on `rows`
/// rows, from S alone, by the search of exact_rows.h for 20 s at most. It does not depend on the
/// components but for their number, and for the rows with which the search begins. NaN if there are
/// fewer rows than components, or more than kMostRowsSearched variables.
double least_loss_bound(const MetricContext& context, Index rows);

}  // namespace spca

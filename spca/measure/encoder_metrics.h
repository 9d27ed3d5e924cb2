#pragma once

/// Functions that the metrics of linear encoders share. The paper's H is V.
///
/// Source  Magdon-Ismail, Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS 2016

#include "spca/measure/metrics.h"

namespace spca {

/// Returns ||XH(XH)^+X||_F^2 (captured_by_encoder in linear_encoder.h).
double captured_variance(const MetricContext& context);

/// Returns (tr S - captured) / (tr S - lambda_1 - ... - lambda_r). NaN if PCA loses nothing (X has
/// rank r), because the ratio is then not defined, or if PCA loses less than the rounding of the
/// captured variance. A captured variance above the sum of the r largest eigenvalues by rounding
/// (1e-9 of tr S, or more if scores depend on each other and only S is given) counts as this sum.
/// No encoder can exceed the sum by more (Eckart and Young): if one does, the ratio is below 1, and
/// the law eckart_young_slack is broken.
double normalised_loss(const MetricContext& context, double captured);

/// Returns (lambda_1 + ... + lambda_r - captured variance) / tr S, which is at least 0 by the
/// theorem of Eckart and Young. A value below 0 by rounding of the captured variance counts as 0.
/// NaN if S is indefinite beyond rounding: the theorem holds for X, and no X has X'X = S.
double eckart_young_slack(const MetricContext& context);

/// Returns (e r)^eps + eps r^(1 + eps) ||X_r - X_1||_F^2 / ||X - X_r||_F^2 for the smallest eps
/// with k_j >= 5 + ceil(5 j / eps) for all j (Theorem 11). NaN if a component has no more than five
/// nonzeros, or if PCA loses nothing.
double theorem11_bound(const MetricContext& context);

/// Returns the number of rows of H that are not zero.
Index row_sparsity(const std::vector<Component>& components);

/// Returns ||X_{C,r}||_F^2, the variance that the best encoder on these rows captures. C is the
/// columns of X that belong to nonzero rows of H. NaN if there are too many of them for a dense
/// eigenproblem, or if their columns of S do not fit in memory.
double captured_on_rows(const MetricContext& context);

/// Returns (captured_variance - captured_on_rows) / tr S. It is 0 (up to rounding) if H is the best
/// encoder on its rows, as Theorem 5 states for the blackbox. Otherwise it is negative, by the
/// variance that H loses.
///
/// NaN if S is indefinite beyond rounding (Covariance::semidefinite_shift()): the theorem holds for
/// X, and no X has X'X = S. NaN also under the conditions of captured_on_rows().
///
/// A slack below 0 by the rounding of nearly dependent columns counts as 0, and so does the
/// variance in directions that S cannot distinguish from dependent ones.
///
/// Both variances are computed in one basis of the columns C, so that its rounding cancels if
/// columns are nearly dependent. The basis is built here, by Gram-Schmidt, independently of the
/// solvers. The slack is a share of the variance and not of the loss of PCA, which may be rounding.
double slack_on_rows(const MetricContext& context);

/// Returns the smallest of r slacks, one for each component: the slack of that component, on its
/// own rows, in the residual of the components before it. By Theorem 5 no slack is below 0 for the
/// iterative algorithm, whose step is the blackbox on a residual. NaN under the conditions of
/// slack_on_rows().
double least_slack_of_steps(const MetricContext& context);

/// Returns a lower bound on the normalised loss of every encoder with this number of components on
/// `rows` rows, from S alone, by the search of exact_rows.h for at most
/// MetricContext::search_seconds; the bound holds whenever the search ends. It depends on the
/// components only by their number, and by the rows with which the search begins. NaN if there are
/// fewer rows than components or more than variables, if there are more than kMostRowsSearched
/// variables, if S is indefinite, or if PCA loses nothing beyond rounding.
double least_loss_bound(const MetricContext& context, Index rows);

}  // namespace spca

#pragma once

/// S_d = V V', the best approximation of rank d to S: what the spannogram solvers are exact on.
///
/// Source  Papailiopoulos, Dimakis, Korokythakis, Sparse PCA through low-rank approximations, ICML
///         2013

#include "spca/algebra/covariance.h"
#include "spca/base/types.h"

namespace spca {

struct LowRank {
  Matrix factor;        // V, p x d: column i is sqrt(lambda_i) u_i
  Vector eigenvalues;   // d, descending, positive
  double residual = 0;  // lambda_{d+1}: v'Sv <= v'S_d v + residual for every unit v

  Index variables() const { return factor.rows(); }
  Index rank() const { return factor.cols(); }
};

/// Of rank min(`rank`, that of S), 0 for S = 0; 1 <= rank. Rows of variables without variance are
/// exactly zero. Throws NumericalError as leading_eigenpairs does.
LowRank low_rank_approximation(const Covariance& covariance, Index rank);

/// W, p x d, with v'Sv <= v'WW'v + lambda_{d+1} for every unit v: column i is
/// sqrt(lambda_i - lambda_{d+1}) u_i. For S_d has nothing outside the span of u_1 .. u_d, and the
/// rest of S nothing inside of it: v'Sv <= v'S_d v + lambda_{d+1} (1 - sum_i (u_i'v)^2). Sharper
/// than v'S_d v + lambda_{d+1} the more of v the span holds.
Matrix reduced_factor(const LowRank& low_rank);
/// What the columns of V are multiplied by for that, all in (0, 1]; a factor that is zero is
/// kSmallestReduction, so that it can be divided by.
Vector reduction(const LowRank& low_rank);
inline constexpr double kSmallestReduction = 1e-3;

/// The variables that S_d knows, ascending: those whose row of V is not zero.
std::vector<int> nonzero_rows(const Matrix& factor);

/// max v'S_d v over unit v with support I: lambda_max of the d x d matrix V_I'V_I.
double low_rank_value(const Matrix& factor, const Support& support);

/// The same with the direction c, unit, of that eigenvector.
struct SpanDirection {
  double value = 0;
  Vector c;  // d
};
SpanDirection best_direction(const Matrix& factor, const Support& support);

/// I_k(V c) and best_direction by turns until the support repeats: a local optimum on S_d, from c.
Support ascend_in_span(const Matrix& factor, Index k, Vector c);

}  // namespace spca

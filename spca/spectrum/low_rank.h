#pragma once

/// S_d = V V', the best approximation of rank d to S. The spannogram solvers are exact on it.
///
/// Source  Papailiopoulos, Dimakis, Korokythakis, Sparse PCA through low-rank approximations, ICML
///         2013

#include "spca/base/types.h"
#include "spca/covariance/covariance.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {

struct LowRank {
  Matrix factor;       // V, p x d: column i is sqrt(lambda_i) u_i
  Vector eigenvalues;  // d, descending, positive
  /// The sum of lambda_{d+1} (0 if negative) and `error`: v'Sv <= v'S_d v + residual for unit v.
  double residual = 0;
  /// The error of the eigenpairs (Eigenpairs::residual): they are exact for a matrix that differs
  /// from S by no more than this.
  double error = 0;

  Index variables() const { return factor.rows(); }
  Index rank() const { return factor.cols(); }
};

/// Returns the approximation of rank min(`rank`, the number of positive eigenvalues of S); 1 <=
/// rank. Rows of variables that do not vary (remaining_variance.h) are exactly zero. S may be
/// indefinite: the statements on the residual and on reduced_factor() still hold. The eigenpairs
/// are nearly exact (Exact::kNearly), and the bounds account for their error. With Copies::kAny the
/// residual is that of the pairs found, which is too small if a pair was missed: good enough for a
/// search, not for a certificate. Throws NumericalError as leading_eigenpairs() does.
LowRank low_rank_approximation(const Covariance& covariance, Index rank,
                               Copies copies = Copies::kAll);

/// Sets all rows of V but those of `variables` to zero. Eigenvectors and sketches have rounding in
/// the other rows, which would make their variables candidates for a support.
void zero_other_rows(const Support& variables, Matrix& factor);

/// Returns W, p x d, with v'Sv <= v'WW'v + residual for every unit v. Its columns are
/// sqrt(lambda_i - lambda_{d+1}) u_i. Proof: S_d has nothing outside the span of u_1 .. u_d, and
/// the rest of S has nothing inside it, and no eigenvalue above lambda_{d+1}. Therefore
///
///   v'Sv <= v'S_d v + lambda_{d+1} (1 - sum_i (u_i'v)^2).
///
/// If the pairs are not exact, this holds for the matrix whose pairs they are, and `error` covers
/// the difference. The bound is below v'S_d v + residual by lambda_{d+1} sum_i (u_i'v)^2.
Matrix reduced_factor(const LowRank& low_rank);
/// Returns the factors that turn the columns of V into those of W, all in (0, 1]. A factor below
/// kSmallestReduction is replaced by it, so that it can be divided by.
Vector reduction(const LowRank& low_rank);
inline constexpr double kSmallestReduction = 1e-3;

/// Returns the variables whose row of V is not zero, ascending.
std::vector<int> nonzero_rows(const Matrix& factor);

/// Returns max v'S_d v over unit v with support I: lambda_max of the d x d matrix V_I'V_I.
double low_rank_value(const Matrix& factor, const Support& support);

/// The value of low_rank_value(), with the unit direction c that is the eigenvector of V_I'V_I.
struct SpanDirection {
  double value = 0;
  Vector c;  // d
};
SpanDirection best_direction(const Matrix& factor, const Support& support);

/// Alternates between I_k(V c) and best_direction() until the support repeats, starting from c.
/// Returns a local optimum on S_d.
Support ascend_in_span(const Matrix& factor, Index k, Vector c);

}  // namespace spca

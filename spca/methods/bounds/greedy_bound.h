#pragma once

/// An upper bound on max v'Sv over unit v with at most k nonzeros, built from one vector that is
/// near the answer (d'Aspremont, Bach, El Ghaoui, Optimal solutions for sparse principal component
/// analysis, JMLR 2008, sections 4 and 5).
///
/// With S = A'A, a_i the columns of A, x = A v / ||A v||, c_i = a_i'x = (Sv)_i / sqrt(v'Sv) and any
/// rho > 0, take Y_i = y_i y_i' with
///
///   y_i = B_i x / sqrt(x'B_i x), B_i = a_i a_i' - rho I               where c_i^2 > rho
///   y_i = 0                                                           where ||a_i||^2 <= rho
///   y_i = sqrt(rho (||a_i||^2 - rho) / (rho - c_i^2)) p_i / ||p_i||   otherwise, p_i = a_i - c_i x
///
/// Then Y_i >= B_i and Y_i >= 0, so that for |I| = k
///
///   lambda_max(S_II) = rho k + max over unit u of sum over I of u'B_i u
///                    <= rho k + lambda_max(sum of all Y_i)
///
/// The paper takes x from the support I = {i : c_i^2 > rho}, for which the bound is tight where the
/// greedy path is optimal. Every y_i is alpha_i a_i - beta_i x, so that Y'Y, which has the
/// eigenvalues of the sum, is S scaled by alpha on both sides and a term of rank two: no factor of
/// S is needed.

#include "spca/algebra/covariance.h"

namespace spca {

/// y_i = alpha_i a_i - beta_i x; all of length p. alpha_i = beta_i = 0 where Y_i = 0.
struct GreedyDual {
  double rho = 0;
  Vector overlaps;  // c_i
  Vector alpha;
  Vector beta;
};

/// c_i for a unit v with v'Sv > 0. One product with S.
Vector greedy_overlaps(const Covariance& covariance, const Component& v);

/// rho > 0, and equal to no c_i^2. The signs of v and x do not matter.
GreedyDual greedy_dual(const Covariance& covariance, const Vector& overlaps, double rho);

/// lambda_max(sum of Y_i) + rho k; infinity where more than kLargestActive of the Y_i are not zero.
double greedy_bound(const Covariance& covariance, const GreedyDual& dual, Index k);

/// The least over rho, and over v and the leading vectors of the supports I_m(Sv) for some m from
/// k / 4 to 4 k, that a search finds: rho lies between neighbouring c_i^2, of which the bound has
/// poles, at the k-th and at the widest gaps nearby, and in the best of them by golden section.
/// value is NaN where v'Sv is not positive or no rho gives a bound.
struct GreedyBound {
  double value = kNotMeasured;
  Component vector;  // with rho, all that it takes to compute the value anew
  double rho = 0;
};
GreedyBound greedy_bound(const Covariance& covariance, const Component& v, Index k);

/// S of these variables is formed.
inline constexpr Index kLargestActive = 2000;

}  // namespace spca

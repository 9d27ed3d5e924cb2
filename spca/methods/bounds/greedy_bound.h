#pragma once

/// An upper bound on max v'Sv over unit v with at most k nonzeros, built from one vector that is
/// near the answer.
///
/// Let S = A'A, a_i the columns of A, x = A v / ||A v||, c_i = a_i'x = (Sv)_i / sqrt(v'Sv). For any
/// rho > 0 and B_i = a_i a_i' - rho I take Y_i = y_i y_i' with
///
///   y_i = B_i x / sqrt(x'B_i x)                                       if c_i^2 > rho
///   y_i = 0                                                           if ||a_i||^2 <= rho
///   y_i = sqrt(rho (||a_i||^2 - rho) / (rho - c_i^2)) p_i / ||p_i||   otherwise, p_i = a_i - c_i x
///
/// Then Y_i >= B_i and Y_i >= 0, so for |I| = k
///
///   lambda_max(S_II) = rho k + max over unit u of the sum over I of u'B_i u
///                    <= rho k + lambda_max(sum of all Y_i)                                     (1)
///
/// For c_i^2 > rho this is the column h_i of relaxation_terms.h with z_i = x. The paper takes x
/// from the support {i : c_i^2 > rho}; then (1) is tight if the greedy path is optimal there.
///
/// If only S + sigma I is positive semidefinite (Covariance::semidefinite_shift()), the bound is
/// computed for S + sigma I, on which a unit vector explains sigma more.
///
/// Every y_i is alpha_i a_i - beta_i x. So Y'Y, which has the eigenvalues of the sum, is S scaled
/// by alpha on both sides and a term of rank two: no factor of S is needed.
///
/// Rounding. (1) holds with any number c~_i in place of c_i in y_i if c_i^2 > rho, and in the third
/// case if y_i = alpha_i (a_i - c~_i x) with
///
///   alpha_i^2 >= rho (||a_i||^2 - rho) / ((||a_i||^2 - c_i^2) (rho - c~_i^2))
///
/// as the determinants of the 2 x 2 matrices of Y_i - B_i in span{x, a_i} show. So the y_i take the
/// least ||a_i||^2 - c_i^2 and the largest ||a_i||^2 that rounding allows, and greedy_bound() adds
/// the rounding of Y'Y.
///
/// Source  A. d'Aspremont, F. Bach, L. El Ghaoui, Optimal solutions for sparse principal component
///         analysis, JMLR 9:1269, 2008, sections 4 and 5; the search for rho is this project's

#include <functional>

#include "spca/covariance/covariance.h"

namespace spca {

/// The c_i, and their largest error.
struct GreedyOverlaps {
  Vector values;        // c_i, of length p
  double rounding = 0;  // |values[i] - c_i| <= rounding ||a_i||
};

/// The y_i = alpha_i a_i - beta_i x; all vectors of length p. alpha_i = beta_i = 0 if Y_i = 0.
struct GreedyDual {
  double rho = 0;
  GreedyOverlaps overlaps;
  Vector alpha;
  Vector beta;
};

/// c_i for a unit v with v'Sv > 0. One product with S.
GreedyOverlaps greedy_overlaps(const Covariance& covariance, const Component& v);

/// The dual matrices for rho > 0, which may equal no c_i^2. The signs of v and x do not matter.
/// O(p).
GreedyDual greedy_dual(const Covariance& covariance, const GreedyOverlaps& overlaps, double rho);

/// The right side of (1); infinity if more than kLargestActive of the Y_i are not zero. O(m^2)
/// memory and an eigenvalue of m x m, m the number of these.
double greedy_bound(const Covariance& covariance, const GreedyDual& dual, Index k);

/// Returns the least bound that a search over rho and v finds. rho lies between neighbouring c_i^2,
/// at which the bound has poles: at the k-th gap and the widest ones nearby, and in the best of
/// them by golden section. v is the given vector, or the leading vector on I_m(Sv) for some m from
/// k / 4 to 4 k. value is NaN if v'Sv is not positive or no rho gives a bound.
struct GreedyBound {
  double value = kNotMeasured;
  Component vector;  // with rho, sufficient to recompute the value
  double rho = 0;
};
GreedyBound greedy_bound(const Covariance& covariance, const Component& v, Index k);
/// The same as greedy_bound() above, until `keep_going`, called before each bound, returns false.
GreedyBound greedy_bound(const Covariance& covariance, const Component& v, Index k,
                         const std::function<bool()>& keep_going);

/// At most this number of variables with Y_i != 0: S of these is formed. Chosen by trial, not
/// measured.
inline constexpr Index kLargestActive = 2000;

}  // namespace spca

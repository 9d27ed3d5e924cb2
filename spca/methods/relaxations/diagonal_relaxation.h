#pragma once

/// A semidefinite relaxation of the problem of one component with at most k nonzeros:
///
///   max <S, X>  s.t. tr X = 1, X psd, k Diag(X) - X psd
///   dual: min lambda_max(S - W + k Diag(W))  s.t. W psd
///
/// X = vv' is feasible: for any u, u'v has at most k nonzero terms, so that (u'v)^2 is at most
/// k sum_i u_i^2 v_i^2. Every W = LL' gives a bound. With the rows l_i of L, and because at most k
/// v_i are not zero,
///
///   v'Wv = ||sum_i v_i l_i||^2 <= k sum_i v_i^2 ||l_i||^2 = k v'Diag(W)v                       (1)
///
/// so that v'Sv <= v'(S - W + k Diag(W))v. This holds for any symmetric S, also an indefinite one.
///
/// Source  D. Cifuentes, Y. Li, arXiv 2603.18215, 2026

#include <functional>
#include <limits>

#include "spca/base/types.h"

namespace spca {

/// A bound, and the L that proves it.
struct DiagonalBound {
  double value = std::numeric_limits<double>::infinity();
  Matrix factor;  // L, p x any number of columns
};

/// Returns lambda_max(S - LL' + k Diag(LL')), with the rounding of its computation added: an upper
/// bound on v'Sv over unit v with at most k nonzeros. `matrix`: S, p x p, symmetric; `factor`: any
/// L of p rows. O(p^3).
double diagonal_bound(const Matrix& matrix, const Matrix& factor, Index k);

/// Returns the best bound that ADMM finds. It stops when the bound is at most `target`, which is a
/// value that a support has; when the bound no longer falls; after 5000 iterations; or when
/// `keep_going`, called before each iteration, returns false. An iteration takes two
/// eigendecompositions of p x p. 1 <= k <= p.
///
/// Source  S. Boyd et al., Foundations and Trends in Machine Learning 3:1, 2011, section 3
DiagonalBound diagonal_relaxation(const Matrix& matrix, Index k, double target,
                                  const std::function<bool()>& keep_going);

}  // namespace spca

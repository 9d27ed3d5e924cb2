#pragma once

/// A support that another method found, made better on S itself, for p so large that S is not
/// formed.
///
/// Ascent    I_k(S v) for the leading vector v of S_II, while lambda_max of the support rises
/// Exchange  of one variable for another on S_AA (support_ascent.h), A the support and those
///           variables j that may raise the value in exchange for some i: with u = v without i,
///           unit, that asks lambda_max of [[u'Su, u'S e_j], [u'S e_j, S_jj]] > v'Sv, where
///           |u'S e_j| is at most the root of u'Su S_jj and, since |S_ij| is at most that of
///           S_ii S_jj, known from S v but for as much
/// Stops     where neither helps: then that bound helps no variable outside of A either, for a
///           positive semidefinite S, unless more than kMostOutside could
/// Cost      a product S v, |A|^2 entries of S and O(k p) operations a round, of which the last
///           finds nothing

#include <functional>

#include "spca/algebra/covariance.h"

namespace spca {

/// How many variables outside of the support are tried at once: those that may raise it most.
inline constexpr Index kMostOutside = 1000;

/// The best loadings on the support of at most k variables, 1 <= k, to which that of `start` leads:
/// never of less variance. `start`: of at most k nonzeros; an empty one is returned. Variables
/// without variance are not taken. `keep_going` is asked before a round and before an exchange.
Component polished(const Covariance& covariance, const Component& start, Index k,
                   const std::function<bool(double value)>& keep_going);

}  // namespace spca

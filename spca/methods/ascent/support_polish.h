#pragma once

/// Improves a support that another method found, on S itself, for p so large that S is not formed.
///
/// Ascent
///   Takes I_k(S v) for the leading vector v of S_II, as long as lambda_max of the support rises.
///
/// Exchange
///   Exchanges one variable for another on S_AA (support_ascent.h). A is the support and those
///   variables j that may raise the value in exchange for some i. With u = v without i, unit, the
///   test is whether lambda_max of [[u'Su, u'S e_j], [u'S e_j, S_jj]] exceeds v'Sv. Without S_ij
///   two bounds on |u'S e_j| are known. One is the root of u'Su S_jj. The other follows from S v,
///   because |S_ij| is at most the root of S_ii S_jj.
///
/// Stops
///   Ends if neither helps. The bounds then show that no variable outside A helps either, for a
///   positive semidefinite S, unless more than kMostOutside variables could.
/// Cost
///   A round takes a product S v, |A|^2 entries of S and O(k p) operations. The last round finds no
///   improvement.

#include <functional>

#include "spca/covariance/covariance.h"

namespace spca {

/// At most this number of variables outside the support are tried at once: those that may raise the
/// value most. Chosen by trial, not measured.
inline constexpr Index kMostOutside = 1000;

/// Returns the best loadings on the support of at most k variables, 1 <= k, that the search reaches
/// from `start`. They never have less variance than `start`. `start` has at most k nonzeros; if it
/// is empty or its variables have no variance, it is returned unchanged. Variables without variance
/// are not taken. `keep_going` is called before a round and before an exchange; false stops the
/// search.
Component polished(const Covariance& covariance, const Component& start, Index k,
                   const std::function<bool(double value)>& keep_going);

}  // namespace spca

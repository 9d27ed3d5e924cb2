#pragma once

/// Improves a support by exchanges of one variable, from a few columns of S. S is not formed, and no
/// variable is ruled out beforehand; support_polish.h rules out, and forms S on what is left.
///
/// A round
///   takes the kMostLeaving variables i of the support I without which the leading vector v keeps
///   most of its value, and their columns of S. For every other variable j it asks for the value of
///   the vector v without i, together with e_j: the 2 x 2 problem of support_ascent.h, a lower bound
///   of lambda_max(S_{I-i+j}). The best j of each i is then tried in earnest, best bound first.
///   After an exchange that raises lambda_max, truncated power steps follow.
///
/// Stops
///   if no exchange that is tried raises the value, or after kMostExchanges of them.
///
/// Cost
///   A round takes kMostLeaving columns, of which most are kept from the round before, one product
///   with S, and at most kMostLeaving eigenproblems of k x k that begin near their solution.

#include <functional>

#include "spca/algebra/covariance.h"

namespace spca {

inline constexpr Index kMostLeaving = 8;
inline constexpr Index kMostExchanges = 16;

/// Returns the best loadings on the support to which that of `start` leads, with at most k
/// variables, or `start` itself if nothing raises its value v'Sv. `start` has at most k nonzeros.
/// `keep_going` is asked with the value before a round; the search ends if it returns false.
Component exchanged(const Covariance& covariance, const Component& start, Index k,
                    const std::function<bool(double value)>& keep_going);

}  // namespace spca

#pragma once

/// Improves a support by exchanges of one variable, from a few columns of S. S is not formed, and
/// no variable is excluded beforehand; support_polish.h excludes some and forms S on the others.
///
/// A round
///   Takes the kMostLeaving variables i of the support I without which the leading vector v keeps
///   most of its value, and their columns of S. For every other variable j it computes the value of
///   the vector v without i, together with e_j: the 2 x 2 problem of support_ascent.h, a lower
///   bound on lambda_max(S_{I-i+j}). For the best j of each i lambda_max is then computed, best
///   bound first. After an exchange that raises it, truncated power steps follow.
///
/// Stops
///   Ends if no exchange that is tried raises the value, or after kMostExchanges of them.
///
/// Cost
///   A round takes kMostLeaving columns, most of which are kept from the previous round, one
///   product with S, and at most kMostLeaving eigenproblems of k x k that start near their
///   solution.

#include <functional>

#include "spca/covariance/covariance.h"

namespace spca {

/// At most this number of variables of the support are tried in a round, and at most this number of
/// exchanges are made. Chosen by trial, not measured.
inline constexpr Index kMostLeaving = 8;
inline constexpr Index kMostExchanges = 16;

/// Returns the best loadings on the support that the exchanges from `start` reach, with at most k
/// variables. Returns `start` itself if it is empty or lambda_max on its support is not positive.
/// `start` has at most k nonzeros.
/// `keep_going` is called with the value before a round; false stops the search.
Component exchanged(const Covariance& covariance, const Component& start, Index k,
                    const std::function<bool(double value)>& keep_going);

}  // namespace spca

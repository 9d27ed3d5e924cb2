#pragma once

/// Good supports of k variables if each variable has a price: ascent for
///
///   maximise lambda_max(S_II) - sum over I of mu     s.t. |I| = k
///
/// Step  v is the leading eigenvector of S_II, lambda its value. For every I'
///         lambda_max(S_I'I') >= sum over I' of (Sv)_i^2 / lambda, with equality for I' = I
///       (with S = B'B the sum is ||B_I''x||^2, x = Bv / ||Bv||). So the k variables of largest
///       (Sv)_i^2 / lambda - mu_i are no worse than I.
/// Exchanges of one variable follow, by the bound of support_exchange.h less the prices.

#include <functional>
#include <vector>

#include "spca/base/types.h"

namespace spca {

struct PricedSupport {
  Support support;   // ascending
  double worth = 0;  // lambda_max(S_II)
  double net = 0;    // lambda_max(S_II) less the prices
};

/// Returns the support with lambda_max of S_II, and with lambda_max less the prices.
PricedSupport priced_support(const Matrix& matrix, const Vector& prices, Support support);

/// Returns the end of one ascent from the k variables of largest y_i^2 - mu_i.
PricedSupport priced_ascent(const Matrix& matrix, const Vector& prices, Index k, const Vector& y);

/// Number of ascents, and of those that end with exchanges.
struct PricedEffort {
  Index columns = 200;        // columns of S at which ascents start
  std::size_t exchanged = 4;  // number of the best supports found that are improved by exchanges
};

/// Runs ascents from the columns of S of largest S_jj - mu_j, and from those supports in `starts`
/// that have k variables. Returns the distinct supports where the ascents end or that an exchange
/// gives, best first, at most `max_count`. `matrix` is S, p x p, positive semidefinite; `prices`:
/// p; 1 <= k <= p. Returns fewer if `keep_going` returns false.
std::vector<PricedSupport> priced_supports(const Matrix& matrix, const Vector& prices, Index k,
                                           const std::vector<Support>& starts,
                                           std::size_t max_count,
                                           const std::function<bool()>& keep_going,
                                           const PricedEffort& effort = {});

}  // namespace spca

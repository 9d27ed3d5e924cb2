#pragma once

/// The least bound on several components by prices, by a bundle method (orthogonal_bound.h):
///
///   minimise  f(X) = tr XX' + sum over parts c of count_c max { u'(S - Lambda_c)u : ||u|| = 1,
///                    ||u||_0 <= k_c }
///
/// Lambda_c follows from X by price_lift.h. Any X gives an upper bound. With shares only the union
/// of the supports pays (pooled_relaxation.h). Each step minimises a model of f, the maximum over
/// pools of supports, which is smoothed. The supports that truncated power ascents and exchanges
/// find at the new X join the pools; if they add nothing, the maxima are certified. The smoothing
/// falls if f exceeds the model by no more than the smoothing, or if the bound has not improved for
/// some rounds in a row. With shares the maxima are certified at the least smoothing only, because
/// that takes longest.

#include <functional>
#include <limits>
#include <vector>

#include "spca/methods/pools/pooled_relaxation.h"
#include "spca/methods/pools/price_lift.h"
#include "spca/methods/pricing/support_pricer.h"
#include "spca/solving/budget.h"

namespace spca {

/// Components that have the same cardinality and the same prices.
struct PricedPart {
  Index k = 1;
  double count = 1;
  double scale = 1;  // see PriceLift::lifted()
};

struct PriceBundleRequest {
  const Matrix& matrix;  // S
  std::vector<PricedPart> parts;
  PriceLift lift = {};
  std::vector<Support> known = {};                         // supports that may be good
  PricePoint first = {};                                   // where the descent starts
  double largest = 0;                                      // the largest eigenvalue of S, > 0
  double bound = std::numeric_limits<double>::infinity();  // known before
  double target = 0;          // ends the search when the bound is at most this
  double accuracy = 0;        // relative
  double share = 1;           // of the budget's remaining time, for one certified search
  bool by_pairs = false;      // see MaximumRequest
  bool ends_inexact = false;  // ends after a certified search that its time ended
  int threads = 1;
  std::function<void(double)> on_bound = [](double) {};  // called with each bound
};

struct PriceBundle {
  double bound = std::numeric_limits<double>::infinity();  // the least, `bound` of the request too
  double total = std::numeric_limits<double>::infinity();  // the least f, or an upper bound on it
  std::vector<double> maxima = {};                         // the parts of `total`
  PricePoint point = {};                                   // where f is `total`
  std::vector<PricingProof> proofs = {};                   // of the maxima, with shares
  Index oracles = 0;                                       // number of certified evaluations of f
  Index supports = 0;                                      // in the pools at the end
};

/// Each round is one call of budget.next(). `part`: the budget whose time ends the search.
PriceBundle minimise_prices(const PriceBundleRequest& request, const Budget& part, Budget& budget);

/// Returns X with XX' near half of (S - lambda_{r+1} I)_+, of at most 2r + 2 columns. The columns
/// beyond the first r have small entries, so that the rank can rise.
Matrix first_factor(const Matrix& matrix, Index r);

/// Returns f at a point in parts, or an upper bound on it if the budget ends: `total` and `maxima`.
/// `proofs`: hints with shares, one for each part.
PriceBundle prices_at(const PriceBundleRequest& request, const PricePoint& point,
                      const std::vector<PricingProof>& proofs, Budget& budget);

}  // namespace spca

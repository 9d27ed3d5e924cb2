#pragma once

/// Divides the problem of uncorrelated components (uncorrelated_bound.h) by the supports of all of
/// them, if these can be enumerated.
///
/// The prices of the relaxation show which supports may be together in an answer above the target:
/// those whose values and prices add up to more. Each such tuple has a relaxation of its own on the
/// few variables of its supports, with h_t at most the largest eigenvalue on support t.

#include <vector>

#include "spca/methods/orthogonal/price_bundle.h"

namespace spca {

struct UncorrelatedTuples {
  const Matrix& matrix;            // S, p x p
  std::vector<Index> cardinality;  // of each component
  std::vector<double> limits;      // h_t
  /// The prices: X, the lift, and the scale of each component.
  const Matrix& factor;
  const PriceLift& lift;
  std::vector<double> scales;
  bool of_loadings = false;
  double bound = 0;   // known before
  double target = 0;  // nothing at or below this is of use
};

/// Returns a bound, at most the one that was known before, which also holds if the time ends.
double bound_by_tuples(const UncorrelatedTuples& tuples, Budget& budget);

}  // namespace spca

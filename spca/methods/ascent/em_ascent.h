#pragma once

/// Expectation maximisation for one sparse component, from one start.
///
/// Source  Sigg, Buhmann, Expectation-maximization for sparse and non-negative PCA, ICML 2008

#include <limits>

#include "spca/base/random.h"
#include "spca/solving/budget.h"

namespace spca {

struct EmAscent {
  Component component;  // empty if S times the start is zero, or if no time was left
  double value = -std::numeric_limits<double>::infinity();
};

/// Iterates v = I_k(Sv) at unit length from `start` (p) until a step raises v'Sv by at most
/// `tolerance` of its value. Returns the v of largest v'Sv. 1 <= k <= p.
EmAscent em_ascent(const Covariance& covariance, Index k, const Vector& start, double tolerance,
                   Budget& budget);
EmAscent em_ascent(const Covariance& covariance, Index k, const Component& start, double tolerance,
                   Budget& budget);

/// p independent standard normal numbers.
Vector em_random_start(Index p, Random& random);

}  // namespace spca

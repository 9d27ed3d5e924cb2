#include "spca/methods/ascent/em_ascent.h"

#include <cmath>

#include "spca/dense/sparsify.h"

namespace spca {
namespace {

template <class Start>
EmAscent ascend_from(const Covariance& covariance, Index k, const Start& start, double tolerance,
                     Budget& budget) {
  Vector product;
  covariance.multiply(start, product);
  EmAscent current;
  while (budget.next(current.value)) {
    Component next = normalized(restrict_to(product, top_k(product, k)));
    if (next.support.empty()) {
      break;
    }
    covariance.multiply(next, product);
    const double value = next.values.dot(product(next.support));
    const bool stalled = value - current.value <= tolerance * std::abs(value);
    // A step on an S that a deflation made indefinite can lower v'Sv. The best of the steps is
    // kept.
    if (value > current.value) {
      current = {.component = std::move(next), .value = value};
    }
    if (stalled) {
      break;
    }
  }
  return current;
}

}  // namespace

EmAscent em_ascent(const Covariance& covariance, Index k, const Vector& start, double tolerance,
                   Budget& budget) {
  return ascend_from(covariance, k, start, tolerance, budget);
}

EmAscent em_ascent(const Covariance& covariance, Index k, const Component& start, double tolerance,
                   Budget& budget) {
  return ascend_from(covariance, k, start, tolerance, budget);
}

Vector em_random_start(Index p, Random& random) {
  Vector start(p);
  for (double& entry : start) {
    entry = random.normal();
  }
  return start;
}

}  // namespace spca

#include "spca/methods/ascent/em_ascent.h"

#include <cmath>

#include "spca/methods/ascent/truncated_power.h"

namespace spca {
namespace {

template <class Start>
EmAscent ascend_from(const Covariance& covariance, Index k, const Start& start, double tolerance,
                     Budget& budget) {
  EmAscent best;
  Vector product;
  covariance.multiply(start, product);
  if (!budget.next(best.value)) {
    return best;
  }
  Component first = truncated(product, k);
  if (first.support.empty()) {
    return best;
  }
  truncated_power(
      std::move(first), k, [&](const Component& v, Vector& w) { covariance.multiply(v, w); },
      [&](const Component& v, const Vector& w, const Component& next) {
        const double value = v.values.dot(w(v.support));
        const bool stalled = value - best.value <= tolerance * std::abs(value);
        // A step on an S that a deflation made indefinite can lower v'Sv.
        if (value > best.value) {
          best = {.component = v, .value = value};
        }
        const bool goes_on = !stalled && budget.next(best.value) && !next.support.empty();
        return goes_on ? PowerStep::kContinue : PowerStep::kKeep;
      });
  return best;
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

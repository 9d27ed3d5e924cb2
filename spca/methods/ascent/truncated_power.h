#pragma once

/// The truncated power method for one sparse component, in parts: v <- I_k(Av) at unit length, for
/// A = S or another symmetric matrix.
///
/// Source  Yuan, Zhang, Truncated power method for sparse eigenvalue problems, JMLR 2013

#include <functional>
#include <limits>
#include <vector>

#include "spca/base/types.h"
#include "spca/covariance/covariance.h"

namespace spca {

/// Returns the k entries of w of largest magnitude at unit length; the empty component if w is
/// zero. Exact zeros are left out. 1 <= k <= p.
Component truncated(const Vector& w, Index k);

/// The decision of a step rule.
enum class PowerStep {
  kContinue,  // the next component replaces v
  kKeep,      // the iteration ends at v
  kAccept,    // the iteration ends at the next component
};

/// Iterates from v and returns the component at which the rule ends it. `multiply(v, w)` sets w to
/// Av. `rule(v, w, next)` returns a PowerStep; next = truncated(w, k), empty if Av is zero.
template <class Multiply, class Rule>
Component truncated_power(Component v, Index k, const Multiply& multiply, const Rule& rule) {
  Vector w;
  for (;;) {
    multiply(v, w);
    Component next = truncated(w, k);
    const PowerStep step = rule(v, w, next);
    if (step != PowerStep::kKeep) {
      v = std::move(next);
    }
    if (step != PowerStep::kContinue) {
      return v;
    }
  }
}

/// Iterates until a step does not change the support, or for `most_steps` >= 1 steps, and returns
/// the last component. Empty if a product is zero.
Component until_support_stays(const Covariance& covariance, Component v, Index k, int most_steps);

/// Iterates as until_support_stays() from several starts at the same time, with one block product
/// per step for all iterates whose supports still change. `keep_going` is called before each step;
/// false stops all iterations. If it is false before the first step, the components are empty.
std::vector<Component> until_supports_stay(const Covariance& covariance,
                                           std::vector<Component> starts, Index k, int most_steps,
                                           const std::function<bool()>& keep_going);

/// An iterate v with its product and its value, which is -infinity before v is set.
struct PowerIterate {
  Component component;
  Vector product;                                           // S v
  double value = -std::numeric_limits<double>::infinity();  // v'Sv
};

/// Sets the product and the value to those of the component.
void evaluate(const Covariance& covariance, PowerIterate& iterate);

/// Steps that raise the value even if Hotelling's deflation has made S indefinite: they use
/// S + shift I, which is positive semidefinite for a large enough shift.
class RisingSteps {
 public:
  explicit RisingSteps(Index k) : k_(k) {}

  /// Returns the next component. Empty if (S + shift I) v is zero.
  Component from(const PowerIterate& iterate) const;
  /// Returns true if a step lowered the value from `before` to `after` by more than rounding. The
  /// shift is then at least doubled, and the caller must repeat the step.
  bool has_fallen(double before, double after);

 private:
  Index k_;
  double shift_ = 0;
};

}  // namespace spca

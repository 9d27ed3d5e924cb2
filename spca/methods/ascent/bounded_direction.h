#pragma once

/// The largest product with a given vector among unit vectors of bounded l1 norm that are
/// orthogonal to given components.

#include <vector>

#include "spca/base/types.h"

namespace spca {

/// The unit vectors w with ||w||_1 <= bound and Q'w = 0, Q the orthonormal components found before.
class BoundedDirections {
 public:
  /// `earlier` are m orthonormal components of length p; m may be zero. 1 <= bound.
  BoundedDirections(const std::vector<Component>& earlier, Index p, double bound);

  /// Returns the w that maximises g'w, g of length p. Q'w = 0 and ||w||_2 = 1 hold to rounding, and
  /// ||w||_1 <= bound to a relative 1e-7. Without earlier components this is unit_within_l1_ball()
  /// (sparsify.h).
  ///
  /// Otherwise w is proportional to soft_threshold(g - Q mu, lambda). For each lambda the m numbers
  /// mu are found by Newton's method, as the minimum of a convex function; lambda is the root of
  /// ||w||_1 = bound, whose left side falls. If no lambda gives a nonzero vector within the bound,
  /// although there may be such vectors, w uses only variables that no earlier component has; it is
  /// then orthogonal to all of them. Empty if g is zero on these. O(p + m^3) for each of about ten
  /// values of lambda and a few steps of Newton's method.
  Component best(const Vector& g) const;

  /// Projects a component on the complement of Q, in its support, and scales it to unit length.
  /// Entries that become zero are dropped. Empty if nothing of it is left.
  Component projected(const Component& component) const;
  /// Returns orthonormal columns that span the rows `support` of Q, |support| x (at most m).
  Matrix span_on(const Support& support) const;

 private:
  Vector shrunk(const Vector& g, double lambda, Vector& mu) const;
  double proposed(const Vector& g, const Vector& w) const;
  Component untouched(const Vector& g) const;

  Index variables_;
  double bound_;
  Support touched_;  // the variables of earlier components
  Matrix rows_;      // Q on these, |touched| x m
};

}  // namespace spca

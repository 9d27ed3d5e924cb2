#pragma once

#include "spca/base/types.h"

namespace spca {

/// Returns I_k(w): the indices of the k entries of largest |w_i|, ascending. Ties go to the lower
/// index. 1 <= k <= p. O(p), or O(p log k) at worst. NaN entries count as zero.
Support top_k(const Vector& w, Index k);
/// Returns the same as top_k(), by value instead of magnitude.
Support top_k_signed(const Vector& w, Index k);

/// Returns w restricted to `support`. Entries that are exactly zero are dropped.
Component restrict_to(const Vector& w, const Support& support);
/// Returns all nonzeros of w.
Component from_dense(const Vector& w);
/// Returns `component` as a p-vector.
Vector to_dense(const Component& component, Index p);

/// Returns v'w for a sparse v.
double sparse_dot(const Component& v, const Vector& w);
/// Adds factor * v to w, which has the length of v's space.
void add_scaled(double factor, const Component& v, Vector& w);

/// Scales to unit length. A vector that is zero or not finite becomes the empty component.
Component normalized(Component component);

/// Returns sign(w_i) max(|w_i| - threshold, 0). threshold >= 0.
Vector soft_threshold(const Vector& w, double threshold);
/// Returns w_i if |w_i| > threshold, else 0.
Vector hard_threshold(const Vector& w, double threshold);
/// Returns the unit vector u = soft_threshold(w, t)/||.|| with the smallest t >= 0 for which
/// ||u||_1 <= bound, 1 <= bound (Witten, Tibshirani, Hastie 2009, section 2.3). Exact and without
/// bisection, O(p log p). Entries within a relative 1e-13 of the largest count as equal. If at
/// least bound^2 entries equal the largest, no threshold separates them: u is nonzero on the
/// first ceil(bound^2) of them. Zero if w is zero or not finite.
Vector unit_within_l1_ball(const Vector& w, double bound);

/// Flips the sign so that the entry of largest magnitude (lowest index among ties) is positive.
/// Every output follows this convention.
Component with_canonical_sign(Component component);

}  // namespace spca

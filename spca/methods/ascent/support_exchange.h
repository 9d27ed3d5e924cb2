#pragma once

/// One variable of a support for another: which exchange promises most, and what counts as a rise.

#include <vector>

#include "spca/base/types.h"

namespace spca {

/// Two computations of one support's value differ by less, relative. What rises by no more has not
/// risen, so that a search ends.
inline constexpr double kSmallestRise = 1e-12;

struct SupportExchange {
  double value = 0;  // a lower bound of the support's value after it
  Index out = -1;    // place in the support
  Index in = -1;     // the variable that comes in; -1: none raises the value
};

/// Returns the best variable j to stand for the one at place t of the support I, by the larger
/// eigenvalue of [[a, b_j], [b_j, S_jj]]. That is a lower bound of lambda_max(S_{I-i+j}), i = I[t]:
/// the value on the span of u, the unit vector along v without its entry i, and of e_j.
///   a = u'Su; `loading` is v_i, `product` is S v, `column` is S e_i, `variances` the diagonal of S,
///   each of length p. Costs O(p).
SupportExchange best_partner(const Support& support, Index t, double a, double loading,
                             const Vector& product, Eigen::Ref<const Vector> column,
                             const Vector& variances);

/// Puts the best bound first. Ties keep their order, so that a run can be repeated.
void sort_by_bound(std::vector<SupportExchange>& exchanges);

}  // namespace spca

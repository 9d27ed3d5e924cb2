#pragma once

/// Exchanges of one variable of a support for another: their bounds, and the least rise that
/// counts.

#include <vector>

#include "spca/base/types.h"

namespace spca {

/// Two computations of one support's value differ by less than this share of it. A smaller rise
/// does not count, so that a search ends.
inline constexpr double kSmallestRise = 1e-12;

struct SupportExchange {
  double value = 0;  // a lower bound on the support's value after the exchange
  Index out = -1;    // position in the support
  Index in = -1;     // the variable that enters; -1: none gives a larger bound
};

/// Returns the best variable j to replace the one at position t of the support I, by the larger
/// eigenvalue of [[a, b_j], [b_j, S_jj]]. That is a lower bound on lambda_max(S_{I-i+j}), i = I[t]:
/// the value on the span of u, the unit vector along v without its entry i, and of e_j.
///   a = u'Su; `loading` is v_i, `product` is S v, `column` is S e_i, `variances` the diagonal of
///   S, each of length p. Costs O(p).
SupportExchange best_partner(const Support& support, Index t, double a, double loading,
                             const Vector& product, Eigen::Ref<const Vector> column,
                             const Vector& variances);

/// Sorts in descending order of bound. Ties keep their order, so that a run is reproducible.
void sort_by_bound(std::vector<SupportExchange>& exchanges);

}  // namespace spca

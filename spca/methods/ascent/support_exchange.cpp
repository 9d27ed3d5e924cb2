#include "spca/methods/ascent/support_exchange.h"

#include <algorithm>
#include <cmath>

#include "spca/dense/dense_decompositions.h"

namespace spca {

SupportExchange best_partner(const Support& support, Index t, double a, double loading,
                             const Vector& product, Eigen::Ref<const Vector> column,
                             const Vector& variances) {
  // If v has no other entry than i, u is zero, and the other variable is alone.
  const double rest = 1 - loading * loading;
  const double scale = rest > kSmallestRise ? 1 / std::sqrt(rest) : 0;
  SupportExchange best{.value = a, .out = t};
  for (Index j = 0; j < variances.size(); ++j) {
    // b = u'S e_j.
    const double b = (product[j] - column[j] * loading) * scale;
    const double c = variances[j];
    // The larger eigenvalue is above x = best.value if c > x or b^2 > (x - a)(x - c). This test
    // needs no root.
    if (c <= best.value && b * b <= (best.value - a) * (best.value - c)) {
      continue;
    }
    const double value = larger_eigenvalue(a, b, c);
    if (value > best.value && !std::binary_search(support.begin(), support.end(), j)) {
      best.value = value;
      best.in = j;
    }
  }
  return best;
}

void sort_by_bound(std::vector<SupportExchange>& exchanges) {
  std::stable_sort(
      exchanges.begin(), exchanges.end(),
      [](const SupportExchange& a, const SupportExchange& b) { return a.value > b.value; });
}

}  // namespace spca

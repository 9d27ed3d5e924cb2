#include "spca/base/binomial.h"

#include <algorithm>
#include <numeric>

namespace spca {

Index binomial(Index n, Index k) {
  if (k < 0 || k > n) {
    return 0;
  }
  const Index m = std::min(k, n - k);
  Index count = 1;  // C(n - m + i, i), which increases with i
  for (Index i = 1; i <= m; ++i) {
    // count (n - m + i) / i, divided first: i / common and count / common have no common factor,
    // and so i / common divides n - m + i.
    const Index common = std::gcd(count, i);
    if (__builtin_mul_overflow(count / common, (n - m + i) / (i / common), &count)) {
      return kLargestBinomial;
    }
  }
  return count;
}

}  // namespace spca

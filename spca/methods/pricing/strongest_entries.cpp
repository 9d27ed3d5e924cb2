#include "spca/methods/pricing/strongest_entries.h"

#include <algorithm>

namespace spca {

StrongestEntries::StrongestEntries(const Matrix& matrix)
    : matrix_(matrix), order_(static_cast<std::size_t>(matrix.size())) {
  const Index p = matrix.rows();
  for (Index j = 0; j < p; ++j) {
    const auto begin = order_.begin() + j * p;
    std::iota(begin, begin + p, 0);
    std::stable_sort(begin, begin + p,
                     [&](int a, int b) { return std::abs(matrix(a, j)) > std::abs(matrix(b, j)); });
  }
}

}  // namespace spca

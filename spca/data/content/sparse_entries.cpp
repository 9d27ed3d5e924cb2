#include "spca/data/content/sparse_entries.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace spca {

std::optional<EntryPosition> sort_rows(SparseRows& rows) {
  std::vector<std::pair<int, double>> entries;
  for (Index row = 0; row < rows.rows(); ++row) {
    const Index begin = rows.outerIndexPtr()[row];
    const Index end = rows.outerIndexPtr()[row + 1];
    int* columns = rows.innerIndexPtr();
    double* values = rows.valuePtr();
    if (!std::is_sorted(columns + begin, columns + end)) {
      entries.clear();
      for (Index i = begin; i < end; ++i) {
        entries.emplace_back(columns[i], values[i]);
      }
      std::sort(entries.begin(), entries.end());
      for (Index i = begin; i < end; ++i) {
        std::tie(columns[i], values[i]) = entries[static_cast<std::size_t>(i - begin)];
      }
    }
    const int* twice = std::adjacent_find(columns + begin, columns + end);
    if (twice != columns + end) {
      return EntryPosition{row, *twice};
    }
  }
  return std::nullopt;
}

}  // namespace spca

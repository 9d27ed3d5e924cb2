#pragma once

/// Makes sparse rows from entries in any order.

#include <cstdint>
#include <limits>
#include <optional>

#include "spca/base/error.h"
#include "spca/base/types.h"

namespace spca {

/// A header may announce at most this number of rows, and of columns, more than entries. Those
/// without an entry take memory, so a short file could exhaust it. The limit allows the hashing
/// trick, which makes matrices of 2^20 columns, most of them empty.
inline constexpr std::int64_t kMostEmpty = std::int64_t{1} << 24;

/// At most this number of rows, columns and entries: Eigen counts them by int.
inline constexpr std::int64_t kLargestInt = std::numeric_limits<int>::max() - 1;

struct EntryPosition {
  Index row = 0;
  Index column = 0;
};

/// Sorts the rows by column, up to the first row in which a column occurs twice. Returns that
/// position; nothing if there is none.
std::optional<EntryPosition> sort_rows(SparseRows& rows);

/// Returns the n x p matrix of the entries that `scan` passes to its argument, as (row, column,
/// value), with row and column from 0. `scan` is called twice and must produce the same entries
/// each time. The first pass counts the entries of each row, the second stores them, so that no
/// further memory is needed.
template <class Scan>
SparseRows place_entries(Index n, Index p, Scan&& scan) {
  SparseRows rows(n, p);
  int* outer = rows.outerIndexPtr();
  scan([outer](Index row, Index, double) { ++outer[row + 1]; });
  Index count = 0;
  for (Index row = 0; row < n; ++row) {
    // outer[row + 1] is the start of the row for now; storing the row's entries moves it to the
    // end.
    const int length = outer[row + 1];
    outer[row + 1] = static_cast<int>(count);
    count += length;
  }
  rows.resizeNonZeros(count);
  scan([&rows, outer](Index row, Index column, double value) {
    const int at = outer[row + 1]++;
    rows.innerIndexPtr()[at] = static_cast<int>(column);
    rows.valuePtr()[at] = value;
  });
  SPCA_CHECK(outer[n] == count, "the second pass over a file gave other entries than the first");
  return rows;
}

}  // namespace spca

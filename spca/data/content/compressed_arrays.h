#pragma once

/// Compressed sparse matrices as SciPy and AnnData store them.

#include <cstdint>
#include <memory>
#include <vector>

#include "spca/base/types.h"
#include "spca/ranks/row_blocks.h"

namespace spca {

/// A matrix by its lines: its rows (CSR) if by_rows, otherwise its columns (CSC). Line i has the
/// entries starts[i] ... starts[i + 1] - 1.
struct CompressedArrays {
  bool by_rows = true;
  std::int64_t n = 0;
  std::int64_t p = 0;
  std::vector<std::int64_t> starts;   // n + 1 or p + 1
  std::vector<std::int64_t> indices;  // columns or rows, from 0
  std::vector<double> values;
  std::int64_t rows_before = 0;  // number of earlier rows in the file, for messages
};

/// Throws InputError, without a file's name, unless n and p are from 1 to kLargestInt, `entries` is
/// at most kLargestInt, and n and p are at most `entries` + kMostEmpty (sparse_entries.h).
void check_sparse_shape(std::int64_t n, std::int64_t p, std::int64_t entries);

/// Returns the rows, each sorted by column. The entries of a line may be in any order. Throws
/// InputError as check_sparse_shape() does, and, without a file's name, if the lengths of the
/// arrays do not match, the starts do not ascend from 0 to the number of entries, an index is out
/// of range, or a position has two entries.
std::unique_ptr<SparseRows> sparse_rows_of(CompressedArrays arrays);

/// The same as sparse_rows_of() above, for entries (rows[e], columns[e], values[e]) in any order.
std::unique_ptr<SparseRows> sparse_rows_of(std::int64_t n, std::int64_t p,
                                           const std::vector<std::int64_t>& rows,
                                           const std::vector<std::int64_t>& columns,
                                           const std::vector<double>& values);

/// Entries first ... last - 1.
struct EntryRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};
/// Returns the range of entries of the rows `held` of a CSR matrix. `starts` are those of all rows.
/// Throws InputError unless there are n + 1 starts that ascend from 0 to `entries`.
EntryRange entries_of_rows(const std::vector<std::int64_t>& starts, std::int64_t n,
                           std::int64_t entries, const RowRange& held);

/// Returns the rows `held` of a CSR matrix. `arrays` has n, p and starts of the whole matrix, but
/// the indices and values of these rows only.
std::unique_ptr<SparseRows> sparse_rows_of(CompressedArrays arrays, const RowRange& held);

}  // namespace spca

#pragma once

/// Sparse matrices as SciPy and AnnData keep them: three arrays of one length or two.

#include <cstdint>
#include <memory>
#include <vector>

#include "spca/base/types.h"
#include "spca/ranks/row_blocks.h"

namespace spca {

/// CSR if by_rows, else CSC: the entries of row (column) i are starts[i] ... starts[i + 1] - 1.
struct CompressedArrays {
  bool by_rows = true;
  std::int64_t n = 0;
  std::int64_t p = 0;
  std::vector<std::int64_t> starts;   // n + 1 or p + 1
  std::vector<std::int64_t> indices;  // columns or rows, from 0
  std::vector<double> values;
  std::int64_t rows_before = 0;  // of the file, for messages
};

/// Throws InputError, without a file's name, unless n and p are whole numbers from 1 that fit, with
/// not too many empty rows or columns (kMostEmpty) beside so many entries.
void check_sparse_shape(std::int64_t n, std::int64_t p, std::int64_t entries);

/// The rows in order. Entries of a row may come in any order. Throws InputError, without a file's
/// name, if the arrays have other lengths than each other, starts do not ascend from 0 to the
/// number of entries, an index is out of range, or a place has two entries.
std::unique_ptr<SparseRows> sparse_rows_of(CompressedArrays arrays);

/// The same of entries (rows[e], columns[e], values[e]) in any order.
std::unique_ptr<SparseRows> sparse_rows_of(std::int64_t n, std::int64_t p,
                                           const std::vector<std::int64_t>& rows,
                                           const std::vector<std::int64_t>& columns,
                                           const std::vector<double>& values);

/// Which entries the rows `held` of a CSR matrix have. `starts` are of all rows. Throws InputError
/// unless they ascend from 0 to `entries`, as sparse_rows_of does.
struct EntryRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};
EntryRange entries_of_rows(const std::vector<std::int64_t>& starts, std::int64_t n,
                           std::int64_t entries, const RowRange& held);

/// The rows `held` of a CSR matrix. `arrays` has its n, p and starts, but indices and values of
/// these rows alone.
std::unique_ptr<SparseRows> sparse_rows_of(CompressedArrays arrays, const RowRange& held);

}  // namespace spca

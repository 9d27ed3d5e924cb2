#pragma once

/// X_I'X_I for some columns I of sparse data.

#include "spca/covariance/detail/sparse_passes.h"

namespace spca {

/// Returns the lower triangle of X_I'X_I, |I| x |I|; the upper triangle is arbitrary. Each entry is
/// summed in the order of the rows. Reads only the columns I of `columns`.
///
/// Cost  O(e log e) for e entries in I, and O(c^2) for a row with c entries in I
Matrix gram_from_columns(const SparseArrays& columns, const Support& support);

/// Returns the same bytes as gram_from_columns(), from the rows. I is ascending. The threads of
/// `pass` share the entries of the result.
///
/// Cost  O(all entries), and O(c^2) for a row: less than from columns if many entries are in I
Matrix gram_from_rows(const SparsePass& pass, Index p, const Support& support);

/// If at least one in this number of entries is in I, the rows are the quicker way.
inline constexpr std::int64_t kRowsWorth = 32;

}  // namespace spca

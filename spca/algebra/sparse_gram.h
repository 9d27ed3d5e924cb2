#pragma once

/// X_I'X_I for some columns I of sparse data.

#include "spca/algebra/sparse_passes.h"

namespace spca {

/// Returns the lower triangle of X_I'X_I, |I| x |I|; the rest is any. Each entry is summed in the
/// order of the rows. From `columns`, of which only I is read.
///
/// Cost  O(e log e) for e entries in I, and O(c^2) for a row that has c of them
Matrix gram_from_columns(const SparseArrays& columns, const Support& support);

/// The same, the same bytes, from the rows. I ascends. `threads` share the entries of the result.
///
/// Cost  O(all entries), and O(c^2) for a row. This is less if many entries are in I
Matrix gram_from_rows(const SparsePass& pass, Index p, const Support& support);

/// From this share of all entries on, one in so many, the rows are the quicker way.
inline constexpr std::int64_t kRowsWorth = 32;

}  // namespace spca

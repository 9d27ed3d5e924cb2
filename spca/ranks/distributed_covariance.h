#pragma once

/// S of data whose rows are spread over ranks.

#include <memory>
#include <vector>

#include "spca/covariance/covariance.h"
#include "spca/covariance/genotypes.h"
#include "spca/covariance/sparse_arrays.h"
#include "spca/ranks/rank_group.h"
#include "spca/ranks/row_blocks.h"

namespace spca {

/// Compressed rows in the memory of `owner`, laid out as in SparseArrays.
struct HeldRows {
  Index lines = 0;
  const std::int64_t* starts = nullptr;
  const int* indices = nullptr;
  const double* values = nullptr;
  std::shared_ptr<const void> owner;
  /// If not null, the mapped file with the rows of all ranks, in which these lie. Its columns are
  /// then used as well. Either all ranks have it or none.
  std::shared_ptr<const MappedSparse> whole = nullptr;
};

/// The rows of X that one rank holds: those of RowBlocks::rows_of_rank(). All ranks have the same
/// kind. A rank without blocks has no rows.
struct OwnRows {
  enum class Kind { kDense, kSparse, kGenotypes };
  Kind kind = Kind::kDense;
  Index variables = 0;  // p, also in a rank without rows
  Matrix dense;
  HeldRows sparse;
  Genotypes genotypes;  // `counts` are not read
  /// True for dense rows of sqrt(scale) (X - 1m'), which are already centred and scaled.
  bool is_prepared = false;
};

/// Returns S of the rows of all ranks together. Every rank of the group holds such an S, calls its
/// functions in the same order with the same arguments, and gets the same bytes. The bytes do not
/// depend on the number of ranks up to RowBlocks::kRowBlocks, and differ from those of
/// make_covariance() by rounding. The cost of a function is divided by the number of ranks; its
/// result is in all ranks.
///
/// Sparse rows are copied by columns, unless they lie in a mapped file: then memory holds 16 bytes
/// for each block and column, and the pages of the file that are in use.
///
/// Not thread-safe. of_samples() returns null. gram() is empty beyond 20,000 samples. Throws
/// InputError as make_covariance() does; for a number that is not finite, and for columns of a file
/// that are not those of its rows, only in the rank that has the row.
std::shared_ptr<const Covariance> make_distributed_covariance(std::shared_ptr<RankGroup> group,
                                                              const RowBlocks& blocks, OwnRows rows,
                                                              DataForm form);

/// Spreads the rows of `whole`, which only rank 0 has, over the group; it is null in all other
/// ranks. Throws InputError in all ranks if the S does not hold X itself, or has standardised
/// sparse data.
std::shared_ptr<const Covariance> spread_covariance(std::shared_ptr<RankGroup> group,
                                                    std::shared_ptr<const Covariance> whole);

}  // namespace spca

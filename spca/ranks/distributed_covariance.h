#pragma once

/// S of data whose rows are spread over ranks.

#include <memory>
#include <vector>

#include "spca/covariance/covariance.h"
#include "spca/covariance/genotypes.h"
#include "spca/ranks/rank_group.h"
#include "spca/ranks/row_blocks.h"

namespace spca {

/// Compressed rows in the memory of `owner`, laid out as in SparseArrays, except that starts[0]
/// need not be 0.
struct HeldRows {
  Index lines = 0;
  const std::int64_t* starts = nullptr;
  const int* indices = nullptr;
  const double* values = nullptr;
  std::shared_ptr<const void> owner;
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
/// Not thread-safe. of_samples() returns null. gram() is empty beyond 20,000 samples. Throws
/// InputError as make_covariance() does; for a number that is not finite, only in the rank that has
/// its row.
std::shared_ptr<const Covariance> make_distributed_covariance(std::shared_ptr<RankGroup> group,
                                                              const RowBlocks& blocks, OwnRows rows,
                                                              DataForm form);

/// Spreads the rows of `whole`, which only rank 0 has, over the group; it is null in all other
/// ranks. Throws InputError in all ranks if the S does not hold X itself, or has standardised
/// sparse data.
std::shared_ptr<const Covariance> spread_covariance(std::shared_ptr<RankGroup> group,
                                                    std::shared_ptr<const Covariance> whole);

}  // namespace spca

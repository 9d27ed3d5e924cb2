#pragma once

#include <string>

#include "spca/data/content/file_content.h"

namespace spca {

/// The treatment of missing values, which are NaN.
enum class Missing {
  kAuto,  // kMean for genotypes, and kError for other data
  kError,
  kMean,        // the mean of the known values of the column
  kLowRank,     // the entry of a low-rank approximation (low_rank_imputation.h)
  kDropRows,    // samples with a missing value are left out
  kDropColumns  // variables with a missing value are left out
};

/// Returns true if a reader leaves missing values in the matrix, for settle_missing().
inline bool keeps_missing(Missing missing) {
  return missing != Missing::kAuto && missing != Missing::kError;
}

/// Returns the treatment of this name. Throws InputError unless it is "auto", "error", "mean",
/// "low-rank", "drop-rows" or "drop-columns".
Missing missing_from_name(const std::string& name);

/// The default rank of the low-rank approximation.
inline constexpr Index kImputationRank = 2;
/// Removes all NaNs from `content`, adapts its names and adds a note. Sparse data are not changed:
/// they have no missing values, and a NaN in them is refused later. Genotypes: missing_genotypes.h.
/// Throws InputError if there is a NaN and `missing` is kError or kAuto, with the number of NaNs
/// and the place of the first; if a column without values, or with kLowRank a row without values,
/// is to be filled; and if nothing is left. `rank` is that of kLowRank.
void settle_missing(Missing missing, FileContent& content, Index rank = kImputationRank);

}  // namespace spca

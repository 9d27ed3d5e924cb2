#pragma once

#include <string>

#include "spca/data/readers/readers.h"

namespace spca {

/// What is done about missing values, which are NaN.
enum class Missing {
  kAuto,  // kMean for genotypes, and kError for all else
  kError,
  kMean,        // the mean of what the column has
  kLowRank,     // what a matrix of low rank has there (low_rank_imputation.h)
  kDropRows,    // samples with a missing value are left out
  kDropColumns  // variables with a missing value are left out
};

/// Whether a reader leaves missing values in the matrix, to be settled.
inline bool keeps_missing(Missing missing) {
  return missing != Missing::kAuto && missing != Missing::kError;
}

/// Throws InputError unless `name` is "auto", "error", "mean", "low-rank", "drop-rows" or
/// "drop-columns".
Missing missing_from_name(const std::string& name);

/// Leaves no NaN in `content`, with its names and a note of what was done. Sparse data are left as
/// they are: they have no missing values, and a NaN in them is refused later. Genotypes:
/// missing_genotypes.h. Throws InputError if there is a NaN and `missing` is an error, with the
/// number of them and the place of the first; if a column without any value has no mean; and if
/// nothing is left. `rank` is that of kLowRank.
inline constexpr Index kImputationRank = 2;
void settle_missing(Missing missing, FileContent& content, Index rank = kImputationRank);

}  // namespace spca

#pragma once

#include "spca/data/files/missing_values.h"

namespace spca {

/// Applies `missing` to the missing genotypes of `content`, which must have genotypes, and adds a
/// note. kAuto and kMean leave them missing: products replace each by the mean of its variant, 0
/// after centering. kDropRows and kDropColumns copy the remaining samples or variants into memory,
/// at two bits per genotype. If a genotype is missing, throws InputError without the name of the
/// file for kError and kLowRank, and if no sample or variant remains.
void settle_missing_genotypes(Missing missing, FileContent& content);

}  // namespace spca

#pragma once

#include "spca/data/readers/missing_values.h"

namespace spca {

/// Handles the missing genotypes of `content`, which has genotypes. kAuto and kMean leave them: a
/// product uses the mean of the variant, 0. If samples or variants are left out, the others are
/// copied into memory, at two bits each. Throws InputError, without a file's name, for kError if a
/// genotype is missing, and if nothing is left.
void settle_missing_genotypes(Missing missing, FileContent& content);

}  // namespace spca

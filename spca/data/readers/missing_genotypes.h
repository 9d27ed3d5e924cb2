#pragma once

#include "spca/data/readers/missing_values.h"

namespace spca {

/// Settles the missing genotypes of `content`, which has genotypes. kAuto and kMean leave them: a
/// product takes the mean of the variant, 0. Samples or variants that are left out make a copy in
/// memory of the others, at two bits each. Throws InputError, without a file's name, for kError if
/// a genotype is missing, and if nothing is left.
void settle_missing_genotypes(Missing missing, FileContent& content);

}  // namespace spca

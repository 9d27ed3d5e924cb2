#pragma once

/// Which rows of subset_row.h the parts of supports violate that the linear program takes.
///
/// Looked at are all sets of three variables with divisor 2, if each is in two of these supports at least, and
/// the sets of variables that supports with common variables link, whole, without one variable, or
/// with another support, with all divisors. The latter close clusters whose size is no multiple of k.

#include <vector>

#include "spca/methods/packing/packing_program.h"
#include "spca/methods/packing/subset_row.h"

namespace spca {

/// Those violated most first, `most` at the most.
std::vector<SubsetRow> violated_rows(const std::vector<PackingProgram::Taken>& taken,
                                     std::size_t most);

}  // namespace spca

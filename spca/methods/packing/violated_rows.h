#pragma once

/// Finds rows of subset_row.h that the optimum of the linear program violates.
///
/// It tries all sets of three variables with divisor 2 if each variable is in at least two of the
/// supports taken in part, and, with all divisors, the sets of variables that overlapping supports
/// connect: whole, without one variable, or with another support. The latter close clusters whose
/// size is not a multiple of k.

#include <vector>

#include "spca/methods/packing/packing_program.h"
#include "spca/methods/pricing/subset_row.h"

namespace spca {

/// Returns the rows violated most, at most `max_count` of them, in descending order of violation.
std::vector<SubsetRow> violated_rows(const std::vector<PackingProgram::Taken>& taken,
                                     std::size_t max_count);

}  // namespace spca

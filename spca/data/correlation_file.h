#pragma once

#include "spca/data/dataset.h"

namespace spca {

/// Returns a data set that is built into the program: the member "correlation" (rows of numbers) of
/// datasets/<name> is S, its member "variable_names" has the names.
Dataset built_in_correlation(const char* name);

}  // namespace spca

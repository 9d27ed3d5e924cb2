#pragma once

#include "spca/base/types.h"
#include "spca/data/dataset.h"

namespace spca {

/// Returns the list of the names of these variables; empty if the data have no names.
Json names_of(const Dataset& dataset, const Support& variables);

}  // namespace spca

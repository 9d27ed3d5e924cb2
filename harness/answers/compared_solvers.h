#pragma once

#include <string>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// Returns the solvers that a comparison has by default: cheap ones, good ones, and one that proves
/// a bound.
std::vector<std::string> compared_solvers(Index components);

}  // namespace spca

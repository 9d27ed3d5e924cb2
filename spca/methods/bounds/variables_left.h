#pragma once

#include <limits>

#include "spca/base/types.h"

namespace spca {

/// The result of an elimination, from S and a certificate that is not trusted.
struct VariablesLeft {
  /// Ascending. No support with another variable has a value above the known one.
  Support variables;
  /// An upper bound on the value of any support; infinity if nothing is proven.
  double bound = std::numeric_limits<double>::infinity();
};

}  // namespace spca

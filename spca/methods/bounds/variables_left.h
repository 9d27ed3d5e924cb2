#pragma once

#include <limits>

#include "spca/base/types.h"

namespace spca {

/// What an elimination leaves, from S and a certificate that is not trusted.
struct VariablesLeft {
  /// Ascending. No support with another variable has a value above the one that is known.
  Support variables;
  /// On the value of any support; infinity if nothing is certified.
  double bound = std::numeric_limits<double>::infinity();
};

}  // namespace spca

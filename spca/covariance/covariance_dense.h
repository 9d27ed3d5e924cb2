#pragma once

/// S of dense data.

#include <memory>

#include "spca/covariance/covariance.h"

namespace spca {

/// X dense, n x p, n >= 1 (n >= 2 if centred or scale n-1), p >= 1. Throws InputError on a NaN or
/// an infinity; the message names row and column, one-based. X is centred and scaled in place,
/// without a copy. O(n p).
std::shared_ptr<const Covariance> make_covariance(Matrix data, DataForm form);

}  // namespace spca

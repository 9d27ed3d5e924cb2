#pragma once

/// S of dense data.

#include <memory>

#include "spca/covariance/covariance.h"

namespace spca {

/// Returns S of a dense X, n x p. Throws InputError as checked_scale() of covariance_data.h does;
/// for a NaN or an infinity, naming row and column, one-based; and if the squares of all numbers
/// underflow. X is centred and scaled in place, without a copy. O(n p).
std::shared_ptr<const Covariance> make_covariance(Matrix data, DataForm form);

}  // namespace spca

#pragma once

/// S itself, as a matrix.

#include <memory>

#include "spca/base/error.h"
#include "spca/covariance/covariance.h"

namespace spca {

/// A symmetric matrix has an eigenvalue that is negative by more than rounding.
class IndefiniteCovariance : public InputError {
 public:
  using InputError::InputError;
};
/// S itself. Throws InputError unless S is all of
///
///   square and finite
///   symmetric                to kSymmetryTolerance * max |S_ij|
///   positive semidefinite    smallest eigenvalue >= -kIndefiniteTolerance * max S_jj; else
///                            IndefiniteCovariance
///
/// The message names an entry or the eigenvalue. O(p^3), once. If the smallest eigenvalue is
/// negative by more than rounding, semidefinite_shift() is its magnitude; with more than 1000
/// variables up to ten times that.
std::shared_ptr<const Covariance> make_explicit_covariance(Matrix covariance);

inline constexpr double kSymmetryTolerance = 1e-8;    // files print 9 digits or more
inline constexpr double kIndefiniteTolerance = 1e-7;  // rounding of a printed PSD matrix

}  // namespace spca

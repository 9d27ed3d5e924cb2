#pragma once

/// S itself, as a matrix.

#include <memory>

#include "spca/base/error.h"
#include "spca/covariance/covariance.h"

namespace spca {

/// The error for a symmetric matrix whose smallest eigenvalue is below -kIndefiniteTolerance *
/// max S_jj.
class IndefiniteCovariance : public InputError {
 public:
  using InputError::InputError;
};
/// Returns an S that is held as a matrix. Throws InputError unless the matrix is all of
///
///   square and finite        with p >= 1
///   of ordinary magnitude    max |S_ij| is 0 or from 1e-150 to 1e150
///   symmetric                to kSymmetryTolerance * max |S_ij|
///   positive semidefinite    smallest eigenvalue >= -kIndefiniteTolerance * max S_jj; else
///                            IndefiniteCovariance
///
/// The message names the shape, an entry or the eigenvalue. O(p^3), once. If the smallest
/// eigenvalue is negative by more than rounding but accepted, semidefinite_shift() is its magnitude
/// plus rounding; with more than 1000 variables up to ten times that.
std::shared_ptr<const Covariance> make_explicit_covariance(Matrix covariance);

inline constexpr double kSymmetryTolerance = 1e-8;    // files print 9 digits or more
inline constexpr double kIndefiniteTolerance = 1e-7;  // rounding of a printed PSD matrix

}  // namespace spca

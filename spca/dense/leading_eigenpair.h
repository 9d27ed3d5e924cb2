#pragma once

/// The leading eigenpair of a small dense symmetric matrix.

#include "spca/base/types.h"

namespace spca {

/// From this number of rows on, Lanczos steps are faster than the dense solver.
inline constexpr Index kSmallestLanczos = 12;
/// The largest residual ||A v - lambda v|| that Lanczos steps may leave, relative to ||A||.
inline constexpr double kLanczosResidual = 1e-12;

/// The largest eigenvalue of a symmetric m x m matrix and its unit eigenvector.
struct LeadingEigenpair {
  double value = 0;  // in the units of the matrix
  Vector vector;     // m, unit; the entry of largest magnitude is positive
};

/// Returns the leading eigenpair of an m x m matrix, m >= 1. Both triangles must be stored. O(m^3).
/// Throws NumericalError if the iteration does not converge.
LeadingEigenpair leading_eigenpair(const Matrix& matrix);
/// The same as leading_eigenpair() above, but Lanczos steps, O(m^2) each, begin near `start`
/// instead of a fixed vector. Both use the dense solver if m < kSmallestLanczos or the steps stall.
LeadingEigenpair leading_eigenpair(const Matrix& matrix, const Vector& start);

/// Negates a column if its entry of largest magnitude (lowest index among ties) is negative.
void fix_sign(Eigen::Ref<Vector> column);

}  // namespace spca

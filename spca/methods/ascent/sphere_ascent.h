#pragma once

/// Maximisation of a smooth function over the matrices of Frobenius norm 1.

#include <functional>

#include "spca/base/types.h"

namespace spca {

/// Returns the value at y (m x q, of norm 1). If `gradient` is not null, it also receives the
/// gradient, m x q, of the function as it extends to all matrices.
using SphereFunction = std::function<double(const Matrix& y, Matrix* gradient)>;

struct SphereAscent {
  /// The ascent ends if three steps in a row each gain no more than this share of the value.
  double tolerance = 1e-8;
  /// The ascent ends if the tangent gradient is at most this share of the value.
  double smallest_gradient = 1e-9;
};

/// Moves y to a local maximum and returns the value there. No step lowers the value. `next` is
/// called with point and value before each step and returns true if the step may be taken.
///
/// The method is limited-memory BFGS on the sphere:
///
/// - a step is y <- (y + alpha d) / ||.||;
/// - tangent vectors are carried along by projection;
/// - pairs of the wrong curvature are left out;
/// - alpha is found by backtracking, and by doubling while the slope stays near that of the start.
///
/// O(m q) per step in addition to the function.
///
/// Source  P.-A. Absil, R. Mahony, R. Sepulchre, Optimization algorithms on matrix manifolds, 2008,
///         for the geometry; J. Nocedal, Math. Comp. 35:773, 1980, for the update
double ascend_on_sphere(const SphereFunction& function, const SphereAscent& rule, Matrix& y,
                        const std::function<bool(const Matrix& y, double value)>& next);

}  // namespace spca

#pragma once

/// Maximisation of a smooth function over the matrices of Frobenius norm 1.

#include <functional>

#include "spca/base/types.h"

namespace spca {

/// The value at y (m x q, of norm 1); where `gradient` is not null, also the gradient of the
/// function as it extends to all matrices, m x q.
using SphereFunction = std::function<double(const Matrix& y, Matrix* gradient)>;

struct SphereAscent {
  /// Ends where three steps in a row each gain no more than this share of the value.
  double tolerance = 1e-8;
  /// Ends where the tangent gradient is no longer than this share of the value.
  double smallest_gradient = 1e-9;
};

/// Moves y to a local maximum and returns the value there, which no step lowers. `next` is called
/// with point and value before each step and says whether it may be taken.
///
/// Limited-memory BFGS on the sphere: a step y <- (y + alpha d) / ||.||, tangent vectors carried
/// along by projection, pairs of the wrong curvature left out, alpha by backtracking and, where
/// the function bends upwards, by doubling. O(m q) a step beside the function.
///
/// Source  P.-A. Absil, R. Mahony, R. Sepulchre, Optimization algorithms on matrix manifolds, 2008,
///         for the geometry; J. Nocedal, Math. Comp. 35:773, 1980, for the update
double ascend_on_sphere(const SphereFunction& function, const SphereAscent& rule, Matrix& y,
                        const std::function<bool(const Matrix& y, double value)>& next);

}  // namespace spca

#pragma once

/// ADMM for max Tr(SH) - rho sum_ij |H_ij| over a convex set of symmetric H:
///
///   H <- projection of Z - Y + S / step to the set
///   Z <- soft threshold of H + Y at rho / step
///   Y <- Y + H - Z
///
/// from Y = Z = 0. The step is doubled or halved if one residual exceeds ten times the other.
///
/// Source  S. Boyd et al., Foundations and Trends in Machine Learning 3:1, 2011, (3.13)

#include <functional>

#include "spca/base/types.h"

namespace spca {

struct BoxAdmm {
  /// Returns the nearest matrix of the set.
  std::function<Matrix(const Matrix&)> project;
  /// Receives -step Y every ten iterations: a dual matrix, once it is cut to the box |U_ij| <= rho.
  std::function<void(Matrix dual)> consider_dual;
  /// Called after consider_dual: true ends the iteration.
  std::function<bool()> has_closed;
  /// Called before an iteration: false ends it.
  std::function<bool()> keep_going;
};

/// Iterates with H in `h`, which the callbacks may read, and returns Z, sparse and near the set.
/// Returns `h` if there was no iteration. The largest variance of S is 1.
Matrix run_box_admm(const Matrix& covariance, double rho, Matrix& h, const BoxAdmm& rules);

}  // namespace spca

#pragma once

/// The block generalized power method: r components at once, in terms of S alone.
///
/// The variable is Z in the Stiefel manifold of n x r. W = X'Z is p x r with W_ij = a_i'z_j. With
/// gamma_j = penalty_j mu_j max_i ||a_i|| (l1) or penalty_j mu_j^2 max_i ||a_i||^2 (l0), the
/// level c_j of a column on the scale of W does not depend on mu_j. The objectives are
///
///   l1:  sum_j mu_j^2 sum_i (|W_ij| - c_j)_+^2        c_j = penalty_j * max_i ||a_i||
///   l0:  sum_j mu_j^2 sum_i (W_ij^2 - c_j^2)_+        c_j = sqrt(penalty_j) * max_i ||a_i||
///
/// With h the soft or hard threshold and T = h(W) diag(mu^2), the gradient is 2 XT. The next Z is
/// its polar factor, which in terms of W reads
///
///   W <- S T M^{-1/2},   M = T'ST.
///
/// A step is r products of S with sparse vectors and an eigenproblem of r x r.
///
/// Source  Journee, Nesterov, Richtarik, Sepulchre, JMLR 2010, Sections 2.3 and 2.4, Algorithms 4
///         and 5

#include <string>
#include <vector>

#include "spca/base/options.h"
#include "spca/methods/ascent/thresholded_power.h"
#include "spca/solving/problem.h"

namespace spca {

struct BlockGpowerOptions {
  std::vector<double> penalty = {0};  // one for all components, or r
  std::string weights = "decreasing";
  double tolerance = kObjectiveTolerance;
  bool refit = true;

  void describe(OptionVisitor& visit);
};

/// Returns penalty_1, ..., penalty_r. Throws InputError unless the options give one or r of them.
Vector penalties(const BlockGpowerOptions& options, Index components);

/// Completes X'Q for orthonormal Q (n x r) that spans columns of X. The first `filled` columns of
/// `basis` (p x r) are X' times orthonormal vectors. Each further one is taken along the column a_i
/// that is longest after projection. This is a step of the pivoted Cholesky factorisation of S, and
/// costs one product. Columns beyond the rank of S are zero. The first of all columns is that of
/// variable_of_longest_column().
void append_longest_columns(const Covariance& covariance, Index filled, Matrix& basis);

/// Returns W = X' polar(XT) from the products ST (p x r) and M = T'ST (r x r, symmetric). If M is
/// rank deficient (an empty column of T, equal columns), the polar factor is not unique.
/// append_longest_columns then fills the missing directions, so that a component that was cut to
/// zero starts again.
Matrix polar_step(const Covariance& covariance, const Matrix& products, const Matrix& gram);

/// Runs the method. `threshold` is soft for l1 and hard for l0; `levels` are c_1, ..., c_r. Returns
/// `components` unit vectors in the order of mu, which is 1, 1/2, ... if `weights` is "decreasing",
/// otherwise all 1. Supports may overlap. A component whose entries are all cut is empty.
std::vector<Component> block_gpower(const Problem& problem, Threshold threshold,
                                    const Vector& levels, const BlockGpowerOptions& options,
                                    Budget& budget);

}  // namespace spca

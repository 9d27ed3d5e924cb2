#pragma once

/// Davidson's preconditioner for the eigenpairs of a large S: an M that is S on the variables of
/// largest variance (heavy_variables.h) and the diagonal of S on all others.
///
/// For a Ritz pair (theta, u) with the residual r, the direction that extends the space is
///
///   t = (M - theta)^-1 r - (M - theta)^-1 U c,   U't = 0,
///
/// with the Ritz vectors U: the step of Newton's method if M were S. Without the second term, t
/// would approach u itself as M approaches S.
///
/// Source  Davidson, J. Comput. Phys. 17:87, 1975; the second term for one vector: Olsen,
///         Jorgensen, Simons, Chem. Phys. Lett. 169:463, 1990, equation (15)

#include <optional>

#include "spca/covariance/covariance.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"

namespace spca {

class DavidsonCorrection {
 public:
  /// Returns nothing if S has no heavy variables. Costs S on the heavy variables, and the
  /// eigenproblem of that matrix.
  static std::optional<DavidsonCorrection> of(const Covariance& covariance);

  /// The i-th eigenvalue, i >= 0, the largest first, of S on the heavy variables; minus infinity if
  /// there are fewer. The i-th eigenvalue of S is no smaller (Cauchy's interlacing).
  double value(Index i) const;
  /// The leading eigenvectors of S on the heavy variables, zero elsewhere: p x `count`, or fewer
  /// columns if there are fewer heavy variables.
  Matrix leading(Index count) const;
  /// t for each column r of `residuals`, p x b, with its theta.
  Matrix corrected(const MatrixRef& residuals, const Vector& thetas, const MatrixRef& ritz) const;

 private:
  DavidsonCorrection(Support heavy, const Covariance& covariance);
  /// (M - theta)^-1 X.
  Matrix solved(const MatrixRef& x, double theta) const;

  Support heavy_;
  SymmetricEigenpairs pairs_;  // of S on the heavy variables
  Vector diagonal_;            // p
};

}  // namespace spca

#pragma once

/// The matrices by which prices are taken from S.
///
/// Orthonormal components U satisfy UU' <= I, so tr(Lambda UU') <= tr Lambda for every positive
/// semidefinite Lambda = XX'. Components with uncorrelated scores and u_t'S u_t <= h_t satisfy
///
///   sum_t R u_t u_t'R / h_t <= I,   R = S^(1/2)
///
/// because the R u_t are orthogonal and at most sqrt(h_t) long. So with Lambda_t = RXX'R / h_t the
/// sum of the u_t'Lambda_t u_t is at most tr XX'. With both conditions X has two blocks of rows,
/// one for each, and Lambda_t is the sum of both matrices.

#include "spca/base/types.h"
#include "spca/dense/dense_decompositions.h"

namespace spca {

/// S^(1/2), by the eigenpairs of S; a negative eigenvalue counts as zero.
Matrix symmetric_root(const SymmetricEigenpairs& pairs);

class PriceLift {
 public:
  /// Orthonormal components: Lambda = XX'.
  PriceLift() = default;
  /// Uncorrelated scores: Lambda = RXX'R, with `root` = R / sqrt(h), p x p; of orthonormal
  /// components, too, if `of_loadings`: the rows of X from p on are for that condition.
  PriceLift(Matrix root, bool of_loadings);

  bool is_identity() const { return root_.size() == 0; }
  /// Returns the rows of `variables` of N, with Lambda = NN' of a part. `scale`: h / h_t of the
  /// part, which counts for uncorrelated scores alone.
  Matrix lifted(const Matrix& factor, const Support& variables, double scale) const;
  /// Returns N itself.
  Matrix lifted(const Matrix& factor, double scale) const;

  /// Sums over the parts, on some variables, of matrices D_c: with and without the scales.
  struct Means {
    Matrix scaled;
    Matrix plain;
  };
  /// Subtracts from `gradient` the slope of the sum of the tr(D_c Lambda_c) along X.
  void subtract_slope(const Means& means, const Matrix& factor, const Support& variables,
                      Matrix& gradient) const;
  /// Returns M such that the sum of the tr(D_c Lambda_c) is tr(M XX'). The two blocks of rows of X
  /// do not mix.
  Matrix pulled(const Means& means, const Support& variables) const;

 private:
  Matrix root_;
  bool of_loadings_ = true;
};

}  // namespace spca

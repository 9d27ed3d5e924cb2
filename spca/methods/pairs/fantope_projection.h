#pragma once

/// Finds the matrix nearest to T, p x p, in the Fantope { Y : 0 <= Y <= I, tr Y = r }: its
/// eigenvalues are those of T less a constant, clipped to 0..1. With many variables only the
/// eigenpairs that stay positive and a few more are computed, by one step of a block Krylov space
/// that starts from the previous ones.
///
/// Source  V. Vu, J. Cho, J. Lei, K. Rohe, Fantope projection and selection, NIPS 2013, Lemma 4.1

#include "spca/base/types.h"

namespace spca {

class FantopeProjection {
 public:
  FantopeProjection(Index p, Index r);

  /// Returns the projection. It is exact if all eigenpairs are computed; otherwise approximate, and
  /// good only if T is near the matrix of the previous call.
  Matrix project(const Matrix& t);

 private:
  void find_all(const Matrix& t);
  void find_leading(const Matrix& t);
  void set_values(const Vector& values);
  Matrix clip() const;

  Index p_;
  Index r_;
  Index wanted_;        // number of eigenpairs to compute
  Vector values_;       // eigenvalues, ascending
  Matrix basis_;        // eigenvectors of the largest ones
  double level_ = 0;    // what the eigenvalues lose before they are clipped
  Index positive_ = 0;  // number of eigenvalues that stay positive
};

}  // namespace spca

#pragma once

/// The nearest matrix to T, p x p, within the Fantope { Y : 0 <= Y <= I, tr Y = r }: the eigenvalues
/// less a constant, clipped to 0..1. Of many variables only those eigenpairs are sought that count,
/// by one step of a block Krylov space that begins with the last ones.
///
/// Source  V. Vu, J. Cho, J. Lei, K. Rohe, Fantope projection and selection, NIPS 2013, Lemma 4.1

#include "spca/base/types.h"

namespace spca {

class FantopeProjection {
 public:
  FantopeProjection(Index p, Index r);

  /// The projection, about, if T is near the one before.
  Matrix project(const Matrix& t);

 private:
  void find_all(const Matrix& t);
  void find_leading(const Matrix& t);
  Matrix clip();

  Index p_;
  Index r_;
  Index wanted_;        // pairs that are sought
  Matrix basis_;        // eigenvectors
  Vector values_;       // ascending
  Index positive_ = 0;  // how many are left after clipping
};

}  // namespace spca

#pragma once

#include <cstdint>
#include <optional>

#include "spca/covariance/covariance.h"

namespace spca {

/// A cache of the latest submatrix of S that took long to compute. Solvers form S on the variables
/// of largest variance, and need parts of it again and again, also for the next component. While an
/// object of this class lives, a sparse S finds it by of() in the same thread, also one whose rows
/// are spread over ranks; other S do not use it. The cache belongs to one solve: the work of one
/// solver must not shorten the time of the next. `base` must outlive the object.
class HeldSubmatrix {
 public:
  explicit HeldSubmatrix(const Covariance& base);
  ~HeldSubmatrix();
  HeldSubmatrix(const HeldSubmatrix&) = delete;
  HeldSubmatrix& operator=(const HeldSubmatrix&) = delete;

  /// Returns true if S_II costs enough to be held: if the columns I, ascending, have many of the
  /// entries of X, which is sparse. `entries` of `all` are in them.
  static bool is_costly(const Support& support, std::int64_t entries, std::int64_t all);

  /// The latest object of this thread if it is for this S, otherwise null.
  static HeldSubmatrix* of(const Covariance& covariance);

  /// Returns S_II if I is a subset of the support held.
  std::optional<Matrix> find(const Support& support) const;
  /// Replaces the matrix held by S_II, unless S_II is too large (kMostHeld). I is ascending.
  void replace(const Support& support, const Matrix& matrix);

  /// At most this number of variables in the support: 32 MB.
  static constexpr Index kMostHeld = 2048;

 private:
  const Covariance& base_;
  HeldSubmatrix* outer_;
  Support support_;
  Matrix matrix_;
};

}  // namespace spca

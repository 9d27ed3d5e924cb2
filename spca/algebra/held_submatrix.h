#pragma once

#include <optional>

#include "spca/algebra/covariance.h"

namespace spca {

/// The latest submatrix of an S that took long to compute. Solvers form S on the variables of
/// largest variance, and ask for parts of it again and again, also for the next component. While an
/// object of this class lives, S finds it by of(), if it is asked by the same thread. It is one
/// solve's: what one solver has computed must not shorten the time of the next. `base` outlives it.
class HeldSubmatrix {
 public:
  explicit HeldSubmatrix(const Covariance& base);
  ~HeldSubmatrix();
  HeldSubmatrix(const HeldSubmatrix&) = delete;
  HeldSubmatrix& operator=(const HeldSubmatrix&) = delete;

  /// The latest object of this thread if it is for this S, otherwise null.
  static HeldSubmatrix* of(const Covariance& covariance);

  /// S_II, if I is part of what is held.
  std::optional<Matrix> find(const Support& support) const;
  /// Holds S_II from now on, in place of what was held, unless it is too large (kMostHeld). I
  /// ascends.
  void keep(const Support& support, const Matrix& matrix);

  /// 32 MB.
  static constexpr Index kMostHeld = 2048;

 private:
  const Covariance& base_;
  HeldSubmatrix* outer_;
  Support support_;
  Matrix matrix_;
};

}  // namespace spca

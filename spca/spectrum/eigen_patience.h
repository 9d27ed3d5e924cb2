#pragma once

/// A time limit for eigenpair iterations. A solver checks its budget only between its own steps;
/// one step may be an eigensolve, which can take longer than the whole time limit.

#include <functional>

namespace spca {

/// While an object of this class lives, iterations for eigenpairs in this thread end with a
/// NumericalError at the first step at which `is_over` returns true. If several objects live at the
/// same time, the last one counts.
class EigenPatience {
 public:
  /// An empty function means no limit.
  explicit EigenPatience(std::function<bool()> is_over);
  ~EigenPatience();
  EigenPatience(const EigenPatience&) = delete;
  EigenPatience& operator=(const EigenPatience&) = delete;

  /// Called before each step. Throws NumericalError if the patience of this thread is over.
  static void ask();
  /// The function of the last object of this thread; empty if there is none.
  static std::function<bool()> of_this_thread();

 private:
  std::function<bool()> is_over_;
  EigenPatience* outer_;
};

}  // namespace spca

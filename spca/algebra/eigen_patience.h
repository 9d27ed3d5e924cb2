#pragma once

/// How long iterations for eigenpairs may go on. A solver asks its budget between its own steps, and
/// one of these is an eigensolve, which may take longer than the whole solve may.

#include <functional>

namespace spca {

/// While an object of this class lives, iterations for eigenpairs in this thread end with a
/// NumericalError at the first step at which `is_over` returns true. Of objects that live at the same
/// time, the last one counts.
class EigenPatience {
 public:
  /// An empty function is never over.
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

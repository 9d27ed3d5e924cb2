#pragma once

#include <string>

namespace spca::cli {

/// Guards the only process that a solve has here; the cells of a run have a process each. While an
/// object of this class lives, a solver that runs on beyond its time limit, or crashes, ends the
/// program. One line goes to stderr, and the exit code is 3. One object at a time.
class SolveGuard {
 public:
  /// `seconds`: how long one solve may take; infinite if there is no limit.
  SolveGuard(const std::string& solver, double seconds);
  ~SolveGuard();
  SolveGuard(const SolveGuard&) = delete;
  SolveGuard& operator=(const SolveGuard&) = delete;
  /// Called when the next solve begins.
  void restart() const;

 private:
  double seconds_;
};

}  // namespace spca::cli

#pragma once

#include <string>

#include "harness/cli/output.h"

namespace spca::cli {

/// While an object of this class lives, the program ends with one line on stderr and exit code 3 if
/// the solver has not stopped after seconds_until_killed(time limit), crashes, or calls exit() or
/// _exit(). What the solver prints goes to standard error. In a run each cell has a process of its
/// own; here there is only one. At most one object may live at a time.
class SolveWatchdog {
 public:
  /// `seconds` is the time limit of one solve; infinite if there is none.
  SolveWatchdog(const std::string& solver, double seconds);
  ~SolveWatchdog();
  SolveWatchdog(const SolveWatchdog&) = delete;
  SolveWatchdog& operator=(const SolveWatchdog&) = delete;
  /// Restarts the time limit for the next solve.
  void restart() const;

 private:
  double seconds_;
  DivertedStdout diverted_;
};

/// Ends the program at once while a solver may still run in another thread.
[[noreturn]] void end_program(int code) noexcept;

}  // namespace spca::cli

#pragma once

#include <string>

namespace spca::cli {

/// While an object of this class lives, a solver that runs on beyond its time limit, crashes, or
/// calls exit() or _exit(), ends the program with one line on stderr and exit code 3. (A run's cells have a process each;
/// here there is only one.) One object at a time.
class SolveWatchdog {
 public:
  /// `seconds`: what one solve may take; infinite if there is no limit.
  SolveWatchdog(const std::string& solver, double seconds);
  ~SolveWatchdog();
  SolveWatchdog(const SolveWatchdog&) = delete;
  SolveWatchdog& operator=(const SolveWatchdog&) = delete;
  /// The next solve begins.
  void restart() const;

 private:
  double seconds_;
};

/// Ends the program at once while a solver may still run in another thread.
[[noreturn]] void end_program(int code) noexcept;

}  // namespace spca::cli

#pragma once

/// Stops work from outside: by a signal, or at the end of its time.

#include <csignal>

namespace spca {

inline constexpr int kInterruptedExitCode = 130;

/// A solve with this time limit is killed after so many seconds. A polite solver stops by itself at
/// the limit, but it finishes an iteration first, and the metrics follow.
inline double seconds_until_killed(double time_limit) { return 1.1 * time_limit + 1; }

/// Returns true if SIGINT or SIGTERM came while a StopSignals lives. Code that works in steps asks
/// this and ends in order. Budget::next asks it for every solver.
bool stop_requested();

/// While an object of this class lives, the first SIGINT or SIGTERM only sets stop_requested().
/// With kOnce the second one kills the program. With kInterrupt SIGTERM stays as it was.
class StopSignals {
 public:
  enum class Repeat { kAlways, kOnce };
  enum class Signals { kInterruptAndTerminate, kInterrupt };
  explicit StopSignals(Repeat repeat, Signals signals = Signals::kInterruptAndTerminate);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  bool catches_terminate_;
  struct sigaction interrupt_ {};
  struct sigaction terminate_ {};
};

/// From now on SIGINT and SIGTERM end the program with one line on stderr and exit code 130, unless
/// a StopSignals lives.
void exit_on_interrupt();

}  // namespace spca

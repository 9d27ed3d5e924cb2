#pragma once

/// Stops work from outside: by a signal, or at the end of its time.

#include <csignal>

namespace spca {

inline constexpr int kInterruptedExitCode = 130;
/// The exit code that shells and mpirun give to a program killed by a signal is this number plus
/// the signal's.
inline constexpr int kKilledExitCode = 128;

/// Returns the seconds after which a solve with this time limit is killed. A well-behaved solver
/// stops at the limit, but finishes its iteration first, and then the metrics are computed.
inline double seconds_until_killed(double time_limit) { return 1.1 * time_limit + 1; }

/// Returns true if a living StopSignals has caught a signal; with a SharedTime, if that of the
/// deciding process has. Code that works in steps checks this and ends in order. Budget::next()
/// checks it for every solver.
bool stop_requested();

/// While an object of this class lives, SIGINT and SIGTERM only make stop_requested() return true.
/// With kOnce this holds for the first of each: the same signal kills the program the second time.
/// With kInterrupt SIGTERM is not handled.
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

/// Makes SIGINT and SIGTERM end the program with one line on stderr and exit code 130, except while
/// a StopSignals handles them.
void exit_on_interrupt();

}  // namespace spca

#pragma once

/// How work is stopped from outside.

#include <csignal>

namespace spca {

inline constexpr int kInterruptedExitCode = 130;

/// After how many seconds a solve with this time limit is killed: a polite solver stops by itself
/// at the limit, and an iteration and the metrics still follow.
inline double seconds_until_killed(double time_limit) { return 1.1 * time_limit + 1; }

/// Whether SIGINT or SIGTERM came while a StopSignals lives: whoever works in steps ends in order.
/// Budget::next asks for every solver.
bool stop_requested();

/// While an object of this class lives, the first SIGINT or SIGTERM only sets stop_requested().
/// With kOnce the second one kills the program.
class StopSignals {
 public:
  enum class Repeat { kAlways, kOnce };
  explicit StopSignals(Repeat repeat);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  struct sigaction interrupt_ {};
  struct sigaction terminate_ {};
};

/// From now on SIGINT and SIGTERM end the program with one line on stderr and exit code 130,
/// wherever no StopSignals lives.
void exit_on_interrupt();

}  // namespace spca

#pragma once

#include <csignal>

namespace spca {

/// Whether SIGINT or SIGTERM came while a StopSignals lives: whoever works in steps ends in order.
/// Budget::next asks for every solver.
bool stop_requested();

/// While an object of this class lives, the first SIGINT or SIGTERM only sets stop_requested().
/// With `once` the second one does what it did before.
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

#pragma once

/// Reports the progress of one solve on standard error.

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "spca/solving/solve_watch.h"

namespace spca::cli {

/// While an object of this class lives, a separate thread observes the solve. On a terminal it
/// redraws one line and removes it at the end. Elsewhere it prints a line after 10 seconds, and
/// then each time that the elapsed time has doubled, at least every ten minutes.
class SolveProgress {
 public:
  /// Prints nothing if `quiet`.
  SolveProgress(std::string solver, Index components, bool quiet);
  ~SolveProgress();
  SolveProgress(const SolveProgress&) = delete;
  SolveProgress& operator=(const SolveProgress&) = delete;

  /// Returns the value for SolveRequest::watch.
  SolveWatch* watch() { return &watch_; }
  /// Names the phase that begins now ("measuring"). Its time counts from zero.
  void begin_phase(const std::string& phase);
  /// The same as begin_phase(), for a phase in which another solver searches ("certifying").
  /// Returns the watch of that solver, whose value and bound are then shown.
  SolveWatch* begin_watched_phase(const std::string& phase);

 private:
  void look_on();
  std::string line(double now) const;

  std::string solver_;
  Index components_;
  bool is_terminal_;
  SolveWatch watch_;
  SolveWatch phase_watch_;
  const SolveWatch* shown_ = &watch_;  // null: a phase without a watch
  double began_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  std::string phase_;   // empty: solving
  std::thread thread_;  // last: it uses the others
};

}  // namespace spca::cli

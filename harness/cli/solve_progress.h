#pragma once

/// Says on standard error how far one solve is.

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "spca/solving/solve_watch.h"

namespace spca::cli {

/// While an object of this class lives, a thread of its own looks at the solve. On a terminal it
/// draws one line again and again, and takes it away at the end. Elsewhere it prints a line after 10
/// seconds, and then each time that twice as long has passed, at least each ten minutes.
class SolveProgress {
 public:
  /// If `quiet`, says nothing.
  SolveProgress(std::string solver, Index components, bool quiet);
  ~SolveProgress();
  SolveProgress(const SolveProgress&) = delete;
  SolveProgress& operator=(const SolveProgress&) = delete;

  /// For SolveRequest::watch.
  SolveWatch* watch() { return &watch_; }
  /// What goes on now, instead of the solve ("measuring"); counts its own time.
  void begin_phase(const std::string& phase);
  /// The same for a phase in which another solver searches ("certifying"): returns what that one is
  /// to be watched by, so that its value and bound are shown.
  SolveWatch* begin_watched_phase(const std::string& phase);

 private:
  void look_on();
  std::string line(double now) const;

  std::string solver_;
  Index components_;
  bool is_terminal_;
  SolveWatch watch_;
  SolveWatch phase_watch_;
  const SolveWatch* shown_ = &watch_;  // null: a phase that nobody watches
  double began_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  std::string phase_;   // empty: solving
  std::thread thread_;  // last: it uses the others
};

}  // namespace spca::cli

#pragma once

/// Processes that a solver starts and leaves behind: they hold pipes and memory, and a run must not
/// wait for them.

#include <sys/types.h>

#include <set>

namespace spca {

/// While an object of this class lives, a process whose parents have ended becomes a child of this
/// process, even if it has left its session as a daemon does. One object at a time.
class StrayProcesses {
 public:
  StrayProcesses();
  ~StrayProcesses();
  StrayProcesses(const StrayProcesses&) = delete;
  StrayProcesses& operator=(const StrayProcesses&) = delete;

  /// Kills what `worker` left, which led a session of its own and has ended. A stray that has a
  /// session of its own cannot be told from those of other workers, and ends too. Sessions of
  /// `running` workers stay. So does a reaper of external_program.h, which ends by itself when its
  /// own work is done.
  void kill_those_of(pid_t worker, const std::set<pid_t>& running) const;

 private:
  std::set<pid_t> others_;  // children that were there before
};

}  // namespace spca

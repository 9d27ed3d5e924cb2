#pragma once

/// Handles processes that a solver starts and leaves behind: they hold pipes and memory, and a run
/// must not wait for them.

#include <sys/types.h>

#include <set>

namespace spca {

/// During the lifetime of this object, a descendant of this process whose parent has ended becomes
/// a child of this process, even if it has left its session as a daemon does. At most one object
/// may exist at a time.
class StrayProcesses {
 public:
  StrayProcesses();
  ~StrayProcesses();
  StrayProcesses(const StrayProcesses&) = delete;
  StrayProcesses& operator=(const StrayProcesses&) = delete;

  /// Kills the strays of `worker`, which led a session of its own and has ended. A stray with a
  /// session of its own cannot be attributed to a worker, and is killed too. The sessions of
  /// `running` workers are spared. So is a reaper of external_program.h, which ends by itself when
  /// its own work is done.
  void kill_those_of(pid_t worker, const std::set<pid_t>& running) const;

 private:
  std::set<pid_t> others_;  // children that existed before
};

}  // namespace spca

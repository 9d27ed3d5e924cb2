#pragma once

/// Control groups for the processes of cells (cgroup v2, Documentation/admin-guide/cgroup-v2.rst of
/// Linux). RLIMIT_AS limits one process; a group limits a solver together with all that it starts.

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace spca {

/// The group of this process, if cgroup v2 is mounted; otherwise empty.
std::filesystem::path own_control_group();

/// Groups below the group of this process. They are in force if that group has the controllers
/// memory and pids, may be changed, and holds no other process: then this process moves into a
/// group of its own, because Linux limits only groups beside which no process stands. Otherwise
/// nothing is changed, and every call does nothing. The destructor undoes all of it.
class CellGroups {
 public:
  /// `own` is what own_control_group() gives.
  explicit CellGroups(std::filesystem::path own);
  ~CellGroups();
  CellGroups(const CellGroups&) = delete;
  CellGroups& operator=(const CellGroups&) = delete;

  bool are_in_force() const { return why_not_.empty(); }
  /// Why they are not, in a few words; otherwise empty.
  const std::string& why_not() const { return why_not_; }

  /// Makes a group of at most so many bytes (0: no limit) and kMostProcesses processes and threads.
  /// Returns an empty path if there is none.
  std::filesystem::path make(double bytes);
  /// To be called by the process that belongs in the group.
  static void join(const std::filesystem::path& group) noexcept;
  /// Whether the kernel has killed a process of the group because its memory was at its limit.
  static bool ran_out_of_memory(const std::filesystem::path& group);
  /// Removes the group when it is empty, at the latest with this object.
  void remove(const std::filesystem::path& group);

  static constexpr int kMostProcesses = 1000;

 private:
  void enter();
  void leave();

  std::filesystem::path own_;
  std::filesystem::path leaf_;  // of this process; empty if it has not moved
  std::string why_not_;
  int made_ = 0;
  std::vector<std::filesystem::path> old_;  // that were not empty when they were to go
};

/// What holds a cell, for `spca env`: the limit on address space, and the groups or why there are
/// none.
std::string cell_limits_in_force();

}  // namespace spca

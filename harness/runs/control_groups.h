#pragma once

/// Control groups for the processes of cells (cgroup v2, Documentation/admin-guide/cgroup-v2.rst of
/// Linux). RLIMIT_AS limits one process; a control group limits a solver together with all
/// processes that it starts.

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace spca {

/// Returns the control group of this process, or an empty path if cgroup v2 is not mounted.
std::filesystem::path own_control_group();

/// Creates groups below the group of this process. This works if that group has the controllers
/// memory and pids, is writable, and holds no other process. This process then moves into a group
/// of its own, because Linux does not limit child groups of a group that holds processes. Otherwise
/// nothing is changed, and every call does nothing. The destructor undoes all changes.
class ControlGroups {
 public:
  /// `own` is the result of own_control_group().
  explicit ControlGroups(std::filesystem::path own);
  ~ControlGroups();
  ControlGroups(const ControlGroups&) = delete;
  ControlGroups& operator=(const ControlGroups&) = delete;

  bool are_in_force() const { return why_not_.empty(); }
  /// Returns the reason why the groups are not in force, in a few words; empty if they are.
  const std::string& why_not() const { return why_not_; }

  /// Creates a group of at most `bytes` of memory (0: no limit) and kMostProcesses processes and
  /// threads. Returns an empty path if the groups are not in force or this one cannot be created.
  std::filesystem::path make(double bytes);
  /// Moves the calling process into the group.
  static void join(const std::filesystem::path& group) noexcept;
  /// Returns whether the kernel killed a process of the group because its memory reached the limit.
  static bool ran_out_of_memory(const std::filesystem::path& group);
  /// Removes the group when it is empty, at the latest when this object is destroyed.
  void remove(const std::filesystem::path& group);

  static constexpr int kMostProcesses = 1000;

 private:
  void enter();
  void leave();

  std::filesystem::path own_;
  std::filesystem::path leaf_;  // group of this process; empty if it has not moved
  std::string why_not_;
  int made_ = 0;
  /// Groups that were not empty when they were to be removed.
  std::vector<std::filesystem::path> old_;
};

/// Describes for `spca env` how cells are limited: by the limit on address space, and by the
/// groups, or why there are no groups.
std::string cell_limits_in_force();

}  // namespace spca

#pragma once

/// Reports the progress of a submitted run's tasks.

#include <string>
#include <vector>

#include "harness/submissions/task_files.h"

namespace spca {

enum class TaskProgress {
  kQueued,
  kRunning,
  kFinished,  // exit code 0
  kFailed,    // another exit code, or killed, cancelled, lost
  kUnknown    // has not ended by itself, and Slurm cannot be asked
};

/// Returns "queued", "running", "finished", "failed" or "unknown".
const char* task_progress_name(TaskProgress progress);

struct TaskState {
  Submission submission;
  std::size_t task = 0;  // 0: the merging job
  TaskProgress progress = TaskProgress::kUnknown;
  /// Slurm's reason for waiting, or the cause of the end: "exit code 3: some of its cells failed".
  std::string reason;
};

/// The behaviour if Slurm cannot be asked.
enum class Scheduler {
  kRequired,  // throws InputError as ask_queue does
  kOptional   // tasks that have not ended by themselves become kUnknown
};

/// Returns the tasks of all submissions of a run, the oldest first. The merging job of a submission
/// follows its tasks if it waits, runs, or is known to have failed.
std::vector<TaskState> tasks_of_run(const std::filesystem::path& run, Scheduler scheduler);

}  // namespace spca

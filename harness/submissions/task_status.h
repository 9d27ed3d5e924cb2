#pragma once

/// How far the tasks of a submitted run are.

#include <string>
#include <vector>

#include "harness/submissions/task_files.h"

namespace spca {

enum class TaskProgress {
  kQueued,
  kRunning,
  kFinished,  // exit code 0
  kFailed,    // another exit code, or killed, cancelled, lost
  kUnknown    // it has not ended by itself, and Slurm cannot be asked
};

/// "queued", "running", "finished", "failed", "unknown".
const char* task_progress_name(TaskProgress progress);

struct TaskState {
  Submission submission;
  std::size_t task = 0;  // 0: the job that merges
  TaskProgress progress = TaskProgress::kUnknown;
  /// Slurm's word for why it waits, or what ended it: "exit code 3: some of its cells failed".
  std::string reason;
};

/// What is to happen if Slurm cannot be asked.
enum class Scheduler {
  kRequired,  // InputError as ask_queue throws it
  kOptional   // tasks that have not ended by themselves are kUnknown
};

/// The tasks of all submissions of a run, the oldest first; after those of a submission the job that
/// merges, if it waits, runs, or is known to have failed.
std::vector<TaskState> tasks_of_run(const std::filesystem::path& run, Scheduler scheduler);

}  // namespace spca

#pragma once

/// A run as a job array of Slurm: what is to be submitted, and submitting it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/submissions/task_chunks.h"
#include "harness/submissions/task_files.h"
#include "spca/io/file_descriptor.h"

namespace spca {

struct SubmitRequest {
  RunRequest run;                    // of the whole; `force` and `chunk` are not looked at
  std::optional<std::size_t> tasks;  // otherwise default_tasks()
  std::string partition;             // of Slurm; empty: its own
  std::string time;                  // as sbatch takes it; empty: the partition's
  std::string memory;                // as sbatch takes it; empty: the partition's
  std::vector<std::string> options;  // more of sbatch: "--name=value", "-x"
};

/// How many chunks of ten minutes the predicted time fills, from 1 to kMostDefaultTasks. If no
/// cell's time is known: kTasksOfUnknownTime.
std::size_t default_tasks(double predicted_seconds, bool is_known);
inline constexpr std::size_t kMostDefaultTasks = 1000;
inline constexpr std::size_t kTasksOfUnknownTime = 8;

struct SubmissionPlan {
  std::size_t cells = 0;       // of the run
  std::size_t on_the_way = 0;  // to be solved by tasks that are queued or run
  std::size_t to_measure = 0;  // have an answer; only metrics are stale
  RunPlan run;
  std::vector<CellChunk> chunks;  // none: there is nothing to submit
  Submission submission;          // its jobs are empty, its folder is not made
  std::string task_script, merge_script;
  std::vector<std::string> task_command, merge_command;  // of sbatch; the latter lacks its job
};

/// What `spca submit` would do; writes nothing. Cells that the run, the cache or a task has are left
/// out, and so are those of tasks that wait or run. Throws InputError as plan_run and ask_queue do;
/// and if there are fewer cells than tasks asked for, if an option is one that the program itself
/// needs, or if Slurm cannot write below the run's path.
SubmissionPlan plan_submission(const SubmitRequest& request);

/// Prepares the run's folder, writes the files of the submission and submits its two jobs. One
/// process at a time: throws InputError if another submits the same run, and as submit_job does. If
/// sbatch refuses the array, the submission's folder goes. If it refuses the merging, the array
/// stays, and the message says how to merge.
class Submitter {
 public:
  /// Keeps others from submitting this run while it lives.
  explicit Submitter(const SubmitRequest& request);
  /// Plans and submits. With no chunks nothing is submitted; what tasks have finished is merged, as
  /// merge_tasks does.
  SubmissionPlan submit();

 private:
  const SubmitRequest& request_;
  FileDescriptor lock_;
};

/// Words of a shell with blanks between them.
std::string command_line(const std::vector<std::string>& command);

}  // namespace spca

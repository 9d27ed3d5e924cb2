#pragma once

/// Plans a run as a job array of Slurm, and submits it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/submissions/task_chunks.h"
#include "harness/submissions/task_files.h"
#include "spca/io/file_descriptor.h"

namespace spca {

struct SubmitRequest {
  RunRequest run;                    // the whole run; `force` and `chunk` are ignored
  std::optional<std::size_t> tasks;  // empty: default_tasks()
  std::string partition;             // empty: Slurm's default
  std::string time;                  // as sbatch takes it; empty: the partition's
  std::string memory;                // as sbatch takes it; empty: the partition's
  std::vector<std::string> options;  // further options of sbatch: "--name=value", "-x"
};

/// Returns the number of chunks of ten minutes that the predicted time needs, from 1 to
/// kMostDefaultTasks, or kTasksOfUnknownTime if no cell's time is known.
std::size_t default_tasks(double predicted_seconds, bool is_known);
inline constexpr std::size_t kMostDefaultTasks = 1000;
inline constexpr std::size_t kTasksOfUnknownTime = 8;

struct SubmissionPlan {
  std::size_t cells = 0;       // number in the run
  std::size_t on_the_way = 0;  // number that queued or running tasks will solve
  std::size_t to_measure = 0;  // number with an answer whose metrics are stale
  RunPlan run;
  std::vector<CellChunk> chunks;  // empty: there is nothing to submit
  Submission submission;          // its jobs are empty, its folder is not created
  std::string task_script, merge_script;
  /// The commands of sbatch; merge_command lacks the dependency on the array, whose number is not
  /// known yet.
  std::vector<std::string> task_command, merge_command;
};

/// Returns the plan of `spca submit`; writes nothing. Cells that the run, the cache or a task has
/// are left out, and so are the cells of tasks that wait or run. Throws InputError as plan_run and
/// ask_queue do, if there are fewer cells than requested tasks, if an option is reserved for the
/// program, or if Slurm cannot write below the run's path.
SubmissionPlan plan_submission(const SubmitRequest& request);

/// Prepares the run's folder, writes the files of the submission and submits its two jobs. Throws
/// InputError if there is no sbatch, if another process is submitting the same run (only one may at
/// a time), and as plan_submission and submit_job do. If sbatch refuses the array, the submission's
/// folder is removed. If sbatch refuses the merging job, the array stays, and the message says how
/// to merge.
class Submitter {
 public:
  /// Prevents other processes from submitting this run during the lifetime of the object.
  explicit Submitter(const SubmitRequest& request);
  /// Plans and submits. If there are no chunks, submits nothing and merges the finished tasks as
  /// merge_tasks does.
  SubmissionPlan submit();

 private:
  const SubmitRequest& request_;
  FileDescriptor lock_;
};

/// Quotes the words for a shell and joins them with blanks.
std::string command_line(const std::vector<std::string>& command);

}  // namespace spca

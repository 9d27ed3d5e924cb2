#pragma once

/// Reports the progress of a run: while it is in progress, after its end, and after it was killed.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/submissions/task_status.h"
#include "spca/base/types.h"

namespace spca {

struct CellCounts {
  std::size_t done = 0;    // number with a usable status other than time_limit
  std::size_t failed = 0;  // number with status failed, invalid or numerical_failure
  std::size_t skipped = 0;
  std::size_t time_limited = 0;  // with or without an answer
  std::size_t missing = 0;       // number without a record
};

struct FailedCell {
  std::string cell;
  std::string status;
  std::string message;
};

struct RunStatus {
  std::string experiment, profile, shard;  // shard is "" for the whole experiment
  std::optional<std::string> process;      // the process that runs in the folder
  /// "running", "queued" (a task or merging job waits in Slurm and none is running), "finished",
  /// "interrupted" or "killed".
  std::string state;
  std::size_t cells = 0;
  CellCounts total;
  std::vector<std::pair<std::pair<std::string, std::string>, CellCounts>>
      groups;  // (solver, data set), in the order of the experiment
  /// Time since the last command began: until now if it is in progress, otherwise until its end, or
  /// until its last record if it was killed.
  double elapsed_seconds = 0;
  double rest_seconds = kNotMeasured;  // estimated remaining time at the pace so far; or NaN
  /// At most five failed cells, by falling position of their records in cells.jsonl. These are the
  /// latest ones while a run without tasks is in progress; at its end the records are sorted.
  std::vector<FailedCell> failures;
  std::vector<TaskState> tasks;  // empty unless the run was submitted to Slurm
  /// Returns the number of tasks with this progress, without merge jobs.
  std::size_t count(TaskProgress progress) const;
};

/// Returns the status of a run. Cells that tasks have finished are counted before they are merged.
/// Throws InputError that names the file if the folder cannot be read.
RunStatus status_of_run(const std::filesystem::path& directory,
                        const std::filesystem::path& data_dir);

}  // namespace spca

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
  std::size_t done = 0;    // number answered
  std::size_t failed = 0;  // number failed, invalid or numerical_failure
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
  /// "running", "queued" (in Slurm, none runs yet), "finished", "interrupted" or "killed".
  std::string state;
  std::size_t cells = 0;
  CellCounts total;
  std::vector<std::pair<std::pair<std::string, std::string>, CellCounts>>
      groups;  // (solver, data set), in the order of the experiment
  /// Duration of the last command: until now, its end, or its last record.
  double elapsed_seconds = 0;
  double rest_seconds = kNotMeasured;              // at the pace so far; NaN if unknown
  std::vector<FailedCell> failures;                // the last ones, the latest first
  std::vector<TaskState> tasks;                    // empty unless submitted to Slurm
  std::size_t count(TaskProgress progress) const;  // number of tasks, without merging jobs
};

/// Returns the status of a run. Cells that tasks have finished are counted before they are merged.
/// Throws InputError that names the file if the folder cannot be read.
RunStatus status_of_run(const std::filesystem::path& directory,
                        const std::filesystem::path& data_dir);

}  // namespace spca

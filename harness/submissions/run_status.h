#pragma once

/// How far a run is: while it goes on, after its end, and after it was killed.

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
  std::size_t done = 0;    // answered
  std::size_t failed = 0;  // failed, invalid or numerical_failure
  std::size_t skipped = 0;
  std::size_t time_limited = 0;  // with or without an answer
  std::size_t missing = 0;       // no record yet
};

struct FailedCell {
  std::string cell;
  std::string status;
  std::string message;
};

struct RunStatus {
  std::string experiment, profile, shard;  // shard "" where it is the whole
  std::optional<std::string> process;      // who runs in it
  /// "running", "queued" (in Slurm, none runs yet), "finished", "interrupted" or "killed".
  std::string state;
  std::size_t cells = 0;
  CellCounts total;
  std::vector<std::pair<std::pair<std::string, std::string>, CellCounts>>
      groups;                  // (solver, data set), in the order of the experiment
  double elapsed_seconds = 0;  // of the last command: until now, its end, or its last record
  double rest_seconds = kNotMeasured;              // at its pace so far; NaN where nothing tells
  std::vector<FailedCell> failures;                // the last ones, the latest first
  std::vector<TaskState> tasks;                    // if it was submitted to Slurm
  std::size_t count(TaskProgress progress) const;  // of the tasks; the jobs that merge are none
};

/// What tasks have finished counts before it is merged. Throws InputError that names the file where the folder cannot be read.
RunStatus status_of_run(const std::filesystem::path& directory,
                        const std::filesystem::path& data_dir);

}  // namespace spca

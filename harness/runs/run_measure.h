#pragma once

/// Measures metrics of a finished run from its stored loadings, without solving anything.

#include <filesystem>
#include <string>
#include <vector>

#include "spca/base/types.h"

namespace spca {

struct MeasureRequest {
  std::filesystem::path directory;  // folder of the run
  std::filesystem::path data_dir;
  /// Metrics in addition to those that the run's experiment requests: names, or patterns with * and
  /// ?.
  std::vector<std::string> metrics = {};
  /// The cache whose answers of the same solves get the metrics; empty: none.
  std::filesystem::path cache_dir = {};
  int jobs = 1;
  bool quiet = false;
};

struct MeasuredRun {
  std::vector<std::string> metrics;  // full names of the additional metrics
  std::size_t answers = 0;           // number of cells with an answer
  std::size_t measured = 0;          // number of cells measured now
  /// Number of cells that could not be measured; their records are unchanged.
  std::size_t unmeasured = 0;
  std::string why_unmeasured;  // reason of the first of these
  std::size_t failures = 0;    // number of all records of the run with is_failure
  bool interrupted = false;
};

/// Measures the metrics of every answer whose record is stale (StoredRecord::is_stale), for example
/// because it lacks one, and judges feasibility and laws of these answers again. Removes metrics
/// that are not requested. Rewrites cells.jsonl; no record is lost if this process is killed.
/// Throws InputError for a folder that holds no run or in which a process still runs, for an
/// unknown metric, for a metric whose inputs the solves of this run did not keep, and if the data
/// set, its files or the sources that load it have changed since the run.
MeasuredRun measure_run(const MeasureRequest& request);

/// Returns 130 if interrupted, 3 if a cell failed or could not be measured, otherwise 0.
int exit_code(const MeasuredRun& measured);

}  // namespace spca

#pragma once

/// Metrics of a finished run, from its stored loadings: nothing is solved.

#include <filesystem>
#include <string>
#include <vector>

#include "spca/base/types.h"

namespace spca {

struct MeasureRequest {
  std::filesystem::path directory;  // of the run
  std::filesystem::path data_dir;
  /// Metrics beside those that the run's experiment asks for: names, or patterns with * and ?.
  std::vector<std::string> metrics = {};
  std::filesystem::path cache_dir = {};  // its answers of the same solves get the metrics; or none
  int jobs = 1;
  bool quiet = false;
};

struct MeasuredRun {
  std::vector<std::string> metrics;  // that were asked for beside the experiment's, in full
  std::size_t answers = 0;           // cells with loadings
  std::size_t measured = 0;          // of them: the others had these metrics already
  std::size_t unmeasured = 0;        // something stood in the way: their records stay as they were
  std::string why_unmeasured;        // of the first of them
  std::size_t failures = 0;          // of all records of the run: is_failure
  bool interrupted = false;
};

/// Measures the metrics of every cell that has an answer, and judges feasibility and laws again.
/// Rewrites cells.jsonl; whoever kills this loses no record. Throws InputError for a folder that
/// holds no run, or in which one still goes on; for an unknown metric; for one that needs what the
/// solves of this run did not keep; and if the data set, its files or what loads it are not those
/// of the run.
MeasuredRun measure_run(const MeasureRequest& request);

/// 130 if interrupted, 3 if a cell failed or could not be measured, otherwise 0.
int exit_code(const MeasuredRun& measured);

}  // namespace spca

#pragma once

/// What a run would do, cell by cell, and why: nothing is run or written.

#include <string>
#include <vector>

#include "harness/runs/runner.h"

namespace spca {

enum class CellSource {
  kRun,      // finished in the run's folder
  kCache,    // the cache has it
  kMeasure,  // one of them has its answer; only its metrics are measured anew
  kSolve
};

/// "run", "cache", "measure", "solve".
const char* cell_source_name(CellSource source);

struct PlannedCell {
  std::string key;
  CellSource source = CellSource::kSolve;
  /// Why the cell is to be solved: "never run", "failed before: ...", or what has changed since the
  /// nearest earlier record; empty for a hit.
  std::string reason;
  /// Median solve_seconds of earlier records: of the same data set, solver, options and
  /// cardinality, else of that solver, data set and cardinality with any options, else of solver
  /// and data set. NaN where there are none, and for a hit.
  double predicted_seconds = kNotMeasured;
};

struct RunPlan {
  std::vector<Cell> cells;
  std::vector<PlannedCell> planned;  // one a cell
  std::size_t count(CellSource source) const;
  double predicted_seconds = 0;  // of all cells to be solved whose time can be predicted
  std::size_t unpredicted = 0;   // to be solved, time unknown
};

/// Throws InputError as run_experiment does for what it reads.
RunPlan plan_run(const RunRequest& request);

}  // namespace spca

#pragma once

/// Plans a run cell by cell with the reasons, without running or writing anything.

#include <string>
#include <vector>

#include "harness/runs/runner.h"

namespace spca {

enum class CellSource {
  kRun,      // finished in the run's folder
  kCache,    // answered by the cache
  kMeasure,  // answered by either, but its metrics must be measured again
  kSolve
};

/// Returns "run", "cache", "measure" or "solve".
const char* cell_source_name(CellSource source);

struct PlannedCell {
  std::string key;
  CellSource source = CellSource::kSolve;
  /// The reason why the cell must be solved, such as "forced", "never run", "failed before: ..." or
  /// the changes since the nearest earlier record; empty if it need not be solved.
  std::string reason;
  /// The median of solve_seconds over earlier records of the same data set, solver, options,
  /// cardinality and deflation. If there are none: over those with any options; if there are none
  /// either: over those of that data set and solver. NaN without such records, and if the cell need
  /// not be solved.
  double predicted_seconds = kNotMeasured;
};

struct RunPlan {
  std::vector<Cell> cells;
  std::vector<PlannedCell> planned;  // one for each cell
  std::size_t count(CellSource source) const;
  double predicted_seconds = 0;  // over all cells to be solved whose time can be predicted
  std::size_t unpredicted = 0;   // number of cells to be solved whose time is unknown
};

/// Plans a run. Throws InputError for unreadable input as run_experiment does.
RunPlan plan_run(const RunRequest& request);

}  // namespace spca

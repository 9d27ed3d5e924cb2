#pragma once

/// Holds a run with all its verdicts, for the output of `spca reproduce` and for its pages.

#include <memory>
#include <string>
#include <vector>

#include "harness/runs/finished_run.h"
#include "harness/verdicts/table.h"
#include "harness/verdicts/tally.h"

namespace spca {

struct JudgedRun : RunVerdicts {
  std::unique_ptr<const FinishedRun> run;  // on the heap, because the verdicts refer to it
};

/// Judges the records of the run.
JudgedRun judge_run(FinishedRun run);

/// Returns {"name", "title", "profile", "directory", "set", "run", "verdicts", "comparisons",
/// "claims", "stale_differences"}. `settings` are the values of --set.
Json judged_run_json(const JudgedRun& judged, const std::vector<std::string>& settings);

/// Returns the tables of all numbers, then those of all claims.
std::vector<Table> verdict_tables(const JudgedRun& judged);

}  // namespace spca

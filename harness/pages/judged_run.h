#pragma once

/// A run with every verdict on it, as `spca reproduce` prints it and its pages show it.

#include <memory>
#include <string>
#include <vector>

#include "harness/runs/finished_run.h"
#include "harness/verdicts/table.h"
#include "harness/verdicts/tally.h"

namespace spca {

struct JudgedRun : RunVerdicts {
  std::unique_ptr<const FinishedRun> run;  // stays in its place: the verdicts refer to it
};

/// Judges the records of the run.
JudgedRun judge_run(FinishedRun run);

/// {"name", "title", "profile", "directory", "set", "run", "verdicts", "comparisons", "claims",
/// "stale_differences"}. `settings` are those of --set.
Json judged_run_json(const JudgedRun& judged, const std::vector<std::string>& settings);

/// Every number, then every claim.
std::vector<Table> verdict_tables(const JudgedRun& judged);

}  // namespace spca

#pragma once

/// Holds a run with all its verdicts, for the output of `spca reproduce` and for its pages.

#include <memory>
#include <string>
#include <vector>

#include "harness/pages/best_known.h"
#include "harness/pages/paper_tables.h"
#include "harness/runs/finished_run.h"
#include "harness/tables/table.h"
#include "harness/verdicts/tally.h"

namespace spca {

struct JudgedRun : RunVerdicts {
  std::unique_ptr<const FinishedRun> run;  // on the heap, because the verdicts refer to it
  double cpu_seconds = 0;                  // of all solves
};

/// Judges the records of the run, and adds their answers to `best`.
JudgedRun judge_run(FinishedRun run, BestKnown& best);

JudgedExperiment verdicts_of(const JudgedRun& judged);

/// Returns {"name", "title", "profile", "directory", "set", "run", "verdicts", "comparisons",
/// "claims", "stale_differences"}. `settings` are the values of --set.
Json judged_run_json(const JudgedRun& judged, const std::vector<std::string>& settings);

/// Returns the tables of the paper, `of_paper`, then those of all other numbers.
std::vector<Table> number_tables(const JudgedRun& judged, const std::vector<PaperTable>& of_paper);

}  // namespace spca

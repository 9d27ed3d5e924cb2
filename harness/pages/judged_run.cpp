#include "harness/pages/judged_run.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "harness/runs/finished_run.h"
#include "harness/verdicts/comparison_json.h"
#include "harness/verdicts/comparison_tables.h"

namespace spca {

JudgedRun judge_run(FinishedRun run) {
  JudgedRun judged;
  judged.run = std::make_unique<const FinishedRun>(std::move(run));
  static_cast<RunVerdicts&>(judged) =
      verdicts_on(judged.run->experiment, read_records(judged.run->directory / "cells.jsonl"));
  judged.tally.has_failed = exit_code(judged.run->summary) == exit_code(Verdict::kFailed);
  judged.tally.interrupted = judged.run->summary.interrupted;
  return judged;
}

Json judged_run_json(const JudgedRun& judged, const std::vector<std::string>& settings) {
  const FinishedRun& run = *judged.run;
  Json json = {{"name", run.experiment.name},
               {"title", run.experiment.title},
               {"profile", run.experiment.profile},
               {"directory", run.directory.string()},
               {"set", settings},
               {"run", summary_json(run.summary)}};
  json.update(verdicts_json(run.experiment, judged));
  return json;
}

std::vector<Table> verdict_tables(const JudgedRun& judged) {
  std::vector<Table> tables = comparison_tables(judged.run->experiment, judged.comparisons);
  for (const Table& table : claim_tables(judged.claims)) {
    tables.push_back(table);
  }
  return tables;
}

}  // namespace spca

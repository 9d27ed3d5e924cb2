#include "harness/cli/judged_run.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "harness/cli/comparison_json.h"
#include "harness/verdicts/comparison_tables.h"

namespace spca::cli {

JudgedRun judge_run(FinishedRun run) {
  JudgedRun judged;
  judged.run = std::make_unique<const FinishedRun>(std::move(run));
  const Experiment& experiment = judged.run->experiment;
  const std::vector<Record> records = read_records(judged.run->directory / "cells.jsonl");
  judged.comparisons = compare_with_published(experiment, records);
  judged.claims = judge_claims(experiment, records);
  judged.tally.add(experiment, judged.comparisons, judged.claims);
  judged.tally.has_failed = spca::exit_code(judged.run->summary) == kExitFailed;
  judged.tally.interrupted = judged.run->summary.interrupted;
  return judged;
}

Json judged_run_json(const JudgedRun& judged, const std::vector<std::string>& settings) {
  const FinishedRun& run = *judged.run;
  Json comparisons = Json::array();
  for (const PublishedComparison& comparison : judged.comparisons) {
    comparisons.push_back(comparison_json(run.experiment, comparison));
  }
  Json claims = Json::array();
  for (const JudgedClaim& claim : judged.claims) {
    claims.push_back(claim_json(claim));
  }
  return {{"name", run.experiment.name},
          {"title", run.experiment.title},
          {"profile", run.experiment.profile},
          {"directory", run.directory.string()},
          {"set", settings},
          {"run", summary_json(run.summary)},
          {"verdicts", judged.tally.json()},
          {"comparisons", comparisons},
          {"claims", claims},
          {"stale_differences", stale_lines(run.experiment, judged.comparisons)}};
}

std::vector<Table> verdict_tables(const JudgedRun& judged) {
  std::vector<Table> tables = comparison_tables(judged.run->experiment, judged.comparisons);
  for (const Table& table : claim_tables(judged.claims)) {
    tables.push_back(table);
  }
  return tables;
}

}  // namespace spca::cli

#include "harness/pages/judged_run.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/cells/runner_cell.h"
#include "harness/pages/paper_table_text.h"
#include "harness/runs/finished_run.h"
#include "harness/verdicts/comparison_json.h"
#include "harness/verdicts/comparison_tables.h"
#include "harness/verdicts/printed_cell.h"

namespace spca {
namespace {

bool is_expected_time_limit(const Experiment& experiment, const Record& record) {
  return record.status == Status::kTimeLimit &&
         std::any_of(experiment.variants.begin(), experiment.variants.end(),
                     [&](const Variant& variant) {
                       return variant.may_time_out && variant.grid == record.grid;
                     });
}

}  // namespace

JudgedRun judge_run(FinishedRun run, BestKnown& best) {
  JudgedRun judged;
  judged.run = std::make_unique<const FinishedRun>(std::move(run));
  const Experiment& experiment = judged.run->experiment;
  const std::filesystem::path& directory = judged.run->directory;
  const std::vector<Record> records = read_records(directory / "cells.jsonl");
  static_cast<RunVerdicts&>(judged) = verdicts_on(experiment, records);
  for (const Record& record : records) {
    judged.cpu_seconds += std::isfinite(record.cost.cpu_seconds) ? record.cost.cpu_seconds : 0;
  }
  best.add({.experiment = &experiment,
            .records = &records,
            .data_checksums = data_checksums(directory),
            .machine = ""});
  judged.tally.has_failed =
      judged.run->summary.unmeasured > 0 ||
      std::any_of(records.begin(), records.end(), [&](const Record& record) {
        return is_failure(record) && !is_expected_time_limit(experiment, record);
      });
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

JudgedExperiment verdicts_of(const JudgedRun& judged) {
  return {.experiment = &judged.run->experiment, .verdicts = &judged};
}

std::vector<Table> number_tables(const JudgedRun& judged, const std::vector<PaperTable>& of_paper) {
  const std::set<const PublishedComparison*> shown = numbers_in(of_paper);
  std::vector<Table> tables;
  for (const PaperTable& table : of_paper) {
    tables.push_back(table_of(table));
    tables.back().notes.push_back(std::string(kCellsNote) + kSignsNote);
  }
  std::vector<PublishedComparison> others;
  std::copy_if(judged.comparisons.begin(), judged.comparisons.end(), std::back_inserter(others),
               [&](const PublishedComparison& one) { return !shown.contains(&one); });
  for (Table& table : comparison_tables(judged.run->experiment, others)) {
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace spca

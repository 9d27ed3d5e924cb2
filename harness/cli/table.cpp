#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/records/manifest.h"
#include "harness/records/record.h"
#include "harness/runs/find_run.h"
#include "harness/verdicts/bound_tables.h"
#include "harness/verdicts/comparison_tables.h"
#include "harness/verdicts/result_tables.h"
#include "harness/verdicts/summary_table.h"
#include "spca/base/standard_error.h"
#include "spca/data/data_folder.h"

namespace spca::cli {
namespace {

std::function<int()> declare_table(Declarations& declare, const GlobalOptions& global) {
  struct Options {
    std::string run;
    std::string format = "text";
    bool json = false;
    bool force = false;
  };
  const auto options = std::make_shared<Options>();
  declare.positional(
      "RUN", options->run,
      "Folder of a run, or the name or file of an experiment, whose newest run is used.");
  declare.option("--format NAME", options->format,
                 "Format of the tables: text (default), md, csv, tex or json.");
  declare.flag("--json", options->json, "The same as --format json: titles, headers and rows.");
  declare_force(declare, options->force);
  return [options, &global] {
    const std::optional<TableFormat> format = table_format_from_name(options->format);
    const std::filesystem::path directory = find_run(options->run);
    const Damage damage = damage_from(options->force);
    const Experiment experiment =
        experiment_of_run(directory, data_directory(global.data_dir), damage);
    for (const std::string& setting : experiment.overrides.settings) {
      say("{}: run with --set {}", directory.string(), setting);
    }
    const std::vector<Record> records = read_records(directory / "cells.jsonl", damage);
    std::vector<Table> tables = result_tables(experiment, records, Reasons::kAll);
    for (Table& table :
         bound_tables(experiment, records, compare_with_published(experiment, records))) {
      tables.push_back(std::move(table));
    }
    const std::vector<JudgedClaim> claims = judge_claims(experiment, records);
    for (Table& table : claim_tables(claims)) {
      tables.push_back(std::move(table));
    }
    if (options->json || !format) {
      Json list = Json::array();
      for (const Table& table : tables) {
        list.push_back({{"title", table.title},
                        {"header", table.header},
                        {"rows", table.rows},
                        {"notes", table.notes}});
      }
      write_json(list);
      return kExitOk;
    }
    if (format == TableFormat::kCsv) {
      write_stdout(csv_of(tables));
      return kExitOk;
    }
    std::string text;
    // Formats for programs and papers have the tables alone.
    if (format == TableFormat::kText || format == TableFormat::kMarkdown) {
      text = render(summary_table(experiment, records), *format);
    }
    for (const Table& table : tables) {
      text += text.empty() ? "" : "\n";
      text += render(table, *format);
    }
    write_stdout(text);
    return kExitOk;
  };
}

SPCA_COMMAND(
    "table", CommandGroup::kResults, "Print a summary and the tables of a finished run",
    "  spca table quickstart\n"
    "  spca table comparison.json                              # of compare-solvers --save\n"
    "  spca table results/runs/quickstart/full --format md",
    declare_table);

}  // namespace
}  // namespace spca::cli

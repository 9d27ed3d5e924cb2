#include "harness/pages/report_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/pages/best_known.h"
#include "harness/pages/paper_answer.h"
#include "harness/pages/paper_place.h"
#include "harness/pages/paper_table_text.h"
#include "harness/pages/paper_tables.h"
#include "harness/pages/shared_beginning.h"
#include "harness/pages/topics.h"
#include "harness/records/manifest.h"
#include "harness/tables/number_text.h"
#include "harness/verdicts/bound_tables.h"
#include "harness/verdicts/comparison_json.h"
#include "harness/verdicts/comparison_tables.h"
#include "harness/verdicts/printed_cell.h"
#include "harness/verdicts/result_tables.h"
#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/io/json_file.h"
#include "spca/measure/metrics.h"

namespace spca {
namespace {

/// At most this number of groups of records (Trouble). Messages that contain numbers may all be
/// different; groups beyond the limit are only counted.
constexpr std::size_t kMostTroubles = 100;

Json number_json(const TableNumber& number) {
  return {number_to_json(number.mean), number_to_json(number.standard_error), number.repeats,
          number.is_best};
}

Json tables_json(const std::vector<Table>& tables) {
  Json list = Json::array();
  for (const Table& table : tables) {
    const MetricTraits& traits = MetricRegistry::instance().get(table.metric, "").traits;
    Json numbers = Json::array();
    for (const std::vector<TableNumber>& row : table.numbers) {
      numbers.push_back(Json::array());
      for (const TableNumber& number : row) {
        numbers.back().push_back(number_json(number));
      }
    }
    list.push_back({{"title", table.title},
                    {"metric", table.metric},
                    {"formula", traits.formula},
                    {"direction", direction_name(traits.direction)},
                    {"timing", traits.timing},
                    {"header", table.header},
                    {"rows", table.rows},
                    {"numbers", numbers},
                    {"notes", table.notes}});
  }
  return list;
}

/// The records without convergence that share a status and a message.
struct Trouble {
  std::size_t count = 0;
  bool answered = false;
  std::vector<std::string> solvers, datasets, cardinalities;
};

/// Returns the tables as text only, because their numbers have no common metric.
Json text_tables_json(const std::vector<Table>& tables) {
  Json list = Json::array();
  for (const Table& table : tables) {
    list.push_back({{"title", table.title},
                    {"header", table.header},
                    {"rows", table.rows},
                    {"notes", table.notes}});
  }
  return list;
}

Json troubles_of(const std::vector<Record>& records) {
  using Kind = std::pair<std::string, std::string>;
  std::vector<Kind> kinds;  // in the order of the records
  std::map<Kind, Trouble> troubles;
  for (const Record& record : records) {
    if (record.status == Status::kConverged) {
      continue;
    }
    const Kind kind = {status_name(record.status), record.message};
    if (!troubles.contains(kind)) {
      kinds.push_back(kind);
    }
    Trouble& trouble = troubles[kind];
    ++trouble.count;
    trouble.answered = trouble.answered || (is_usable(record.status) && !record.metrics.empty());
    add_once(trouble.solvers, record.solver);
    add_once(trouble.datasets, record.dataset);
    add_once(trouble.cardinalities, cardinality_text(record.cardinality));
  }
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(kinds.size(), kMostTroubles); ++i) {
    const Trouble& trouble = troubles.at(kinds[i]);
    list.push_back({{"status", kinds[i].first},
                    {"message", kinds[i].second},
                    {"count", trouble.count},
                    {"answered", trouble.answered},
                    {"solvers", trouble.solvers},
                    {"datasets", trouble.datasets},
                    {"cardinalities", trouble.cardinalities}});
  }
  return {{"groups", list}, {"left_out", kinds.size() - list.size()}};
}

std::string claim_of(const Experiment& experiment) {
  const auto claim = experiment.json.find("claim");
  return claim != experiment.json.end() && claim->is_string() ? claim->get<std::string>() : "";
}

/// Adds to each comparison the place and title of its table, and whether its interval is shown.
void add_places(const Experiment& experiment, const std::vector<PublishedComparison>& comparisons,
                Json& rows) {
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    const PublishedTable& table = experiment.published_tables.at(comparisons[i].published->table);
    const PaperPlace place = place_in_paper(table.where);
    rows[i]["place"] = {place.kind, place.number};
    rows[i]["title"] = title_in_paper(table, place);
    rows[i]["shows_interval"] = shows_interval(comparisons[i]);
  }
}

}  // namespace

ReportedRun read_reported_run(const std::filesystem::path& directory,
                              const std::filesystem::path& data_dir, Damage damage) {
  ReportedRun run;
  run.directory = directory;
  run.experiment = experiment_of_run(directory, data_dir, damage);
  run.manifest = read_manifest(directory, damage);
  run.records = read_records(directory / "cells.jsonl", damage);
  if (run.records.empty()) {
    throw InputError(
        fmt::format("{}: found no record; accepted: a run with at least one finished "
                    "cell",
                    (directory / "cells.jsonl").string()));
  }
  return run;
}

Json report_of_run(const ReportedRun& run, const std::filesystem::path& data_dir) {
  const RunVerdicts verdicts = verdicts_on(run.experiment, run.records);
  BestKnown best;
  best.add({.experiment = &run.experiment,
            .records = &run.records,
            .data_checksums = data_checksums(run.directory),
            .machine = ""});
  Json printed = Json::array();
  const bool has_statements = !verdicts.tally.claims_of_papers.empty();
  for (const PaperTable& table :
       paper_tables({{.experiment = &run.experiment, .verdicts = &verdicts}}, best)) {
    printed.push_back(paper_table_json(table, verdicts.comparisons));
  }
  Json by_status = Json::object();
  bool contended = false;
  for (const Record& record : run.records) {
    Json& count = by_status[status_name(record.status)];
    count = count.is_null() ? 1 : count.get<std::size_t>() + 1;
    contended = contended || record.contended;
  }
  Json json = {{"directory", run.directory.string()},
               {"claim", claim_of(run.experiment)},
               {"remarks", run.experiment.remarks},
               {"manifest", run.manifest},
               {"records", run.records.size()},
               {"by_status", by_status},
               {"contended", contended},
               {"sum", verdicts.tally.text()},
               {"answer", printed.empty() && !has_statements ? "" : short_answer(verdicts.tally)},
               {"paper_tables", printed},
               {"claim_tables", text_tables_json(claim_tables(verdicts.claims))},
               {"first_tables", Json::array()},
               {"bound_tables",
                text_tables_json(bound_tables(run.experiment, run.records, verdicts.comparisons))},
               {"tables", tables_json(result_tables(run.experiment, run.records))},
               {"topics", topics_of_run(run, data_dir)},
               {"troubles", troubles_of(run.records)}};
  json.update(verdicts_json(run.experiment, verdicts));
  add_places(run.experiment, verdicts.comparisons, json["comparisons"]);
  return json;
}

Json paper_names(const std::vector<ReportedRun>& runs) {
  std::map<std::string, std::vector<std::string>> sources;
  for (const ReportedRun& run : runs) {
    const std::string& name = run.experiment.name;
    std::vector<std::string>& of_paper = sources[name.substr(0, name.find('/'))];
    if (name.find('/') != std::string::npos) {
      of_paper.push_back(run.experiment.json.value("source", ""));
    }
  }
  Json names = Json::object();
  for (const auto& [paper, texts] : sources) {
    const std::string shared = shared_beginning(texts);
    names[paper] = shared.empty() ? paper : fmt::format("{}: {}", paper, shared);
  }
  return names;
}

}  // namespace spca

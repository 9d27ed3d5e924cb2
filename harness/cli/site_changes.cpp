/// How the runs of a site differ from committed baselines.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/cli/site_data.h"
#include "harness/verdicts/baseline_file.h"
#include "harness/verdicts/gate.h"
#include "harness/verdicts/number_text.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/io/json_file.h"

namespace spca::cli {
namespace {

constexpr std::size_t kMostChanges = 200;

bool is_change(Verdict verdict) {
  return verdict == Verdict::kBetter || verdict == Verdict::kSlower || verdict == Verdict::kWorse ||
         verdict == Verdict::kFailed;
}

Json metric_row(const CellCheck& cell, const MetricCheck& check) {
  return {
      {"cell", cell.reference->label()},         {"metric", check.metric},
      {"verdict", verdict_name(check.verdict)},  {"before", number_to_json(check.pairs.reference)},
      {"now", number_to_json(check.pairs.ours)}, {"why", check.reason}};
}

Json problem_row(const CellCheck& cell, const CellProblem& problem) {
  return {{"cell", cell.reference->label()},
          {"metric", ""},
          {"verdict", verdict_name(problem.verdict)},
          {"before", nullptr},
          {"now", nullptr},
          {"why", problem.reason}};
}

/// Every change, the gravest first.
std::vector<std::pair<Verdict, Json>> changes_of(const GateReport& report) {
  std::vector<std::pair<Verdict, Json>> rows;
  for (const CellCheck& cell : report.cells) {
    for (const CellProblem& problem : cell.problems) {
      if (is_change(problem.verdict)) {
        rows.emplace_back(problem.verdict, problem_row(cell, problem));
      }
    }
    for (const MetricCheck& check : cell.metrics) {
      if (is_change(check.verdict)) {
        rows.emplace_back(check.verdict, metric_row(cell, check));
      }
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  return rows;
}

Json counts_of(const GateReport& report) {
  Json counts = Json::object();
  for (const Verdict verdict :
       {Verdict::kFailed, Verdict::kWorse, Verdict::kSlower, Verdict::kBetter, Verdict::kMatch,
        Verdict::kNotComparable, Verdict::kNotRun, Verdict::kNotGated}) {
    counts[verdict_name(verdict)] = report.count(verdict);
  }
  return counts;
}

/// "" if the run and the baseline answer the same question.
std::string why_not_comparable(const ComparedRun& run, const ComparedRun& baseline) {
  const auto profile = [](const ComparedRun& of) {
    return of.overrides.is_object() ? of.overrides.value("profile", "") : "";
  };
  if (profile(run) != profile(baseline)) {
    return fmt::format("the baseline is of the profile {}, the run of {}", profile(baseline),
                       profile(run));
  }
  return json_line(run.overrides) == json_line(baseline.overrides)
             ? ""
             : "the run has other settings than the baseline";
}

Json change_json(const ReportedRun& run, const std::filesystem::path& folder, Damage damage) {
  const std::filesystem::path file = folder / (run.experiment.name + ".json");
  Json json = {{"experiment", run.experiment.name},
               {"baseline", file.generic_string()},
               {"version", ""},
               {"why_not", ""},
               {"counts", nullptr},
               {"rows", Json::array()},
               {"left_out", 0}};
  if (!std::filesystem::exists(file)) {
    json["why_not"] = "there is no baseline of this experiment";
    return json;
  }
  const Baseline baseline = read_baseline(file);
  const ComparedRun now = read_compared_run(run.directory, damage);
  json["version"] = baseline.run.revision.value("version", "");
  json["why_not"] = why_not_comparable(now, baseline.run);
  if (!json["why_not"].get<std::string>().empty()) {
    return json;
  }
  const GateReport report = check_run(baseline, now);
  const auto rows = changes_of(report);
  json["counts"] = counts_of(report);
  for (std::size_t i = 0; i < std::min(rows.size(), kMostChanges); ++i) {
    json["rows"].push_back(rows[i].second);
  }
  json["left_out"] = rows.size() - json["rows"].size();
  return json;
}

bool is_number_or_null(const Json& value) { return value.is_number() || value.is_null(); }

/// The members of a row that a page shows. Throws InputError for a row that lacks one.
Json history_row(const Json& given, const std::string& where) {
  Json row = Json::object();
  const auto take = [&](const char* name, bool (*is_right)(const Json&)) {
    if (!given.is_object() || !given.contains(name) || !is_right(given[name])) {
      throw InputError(fmt::format(
          "{}: \"{}\" is missing or of another type; accepted: what `spca history worse --json` "
          "prints",
          where, name));
    }
    row[name] = given[name];
  };
  for (const char* name : {"experiment", "cell", "metric", "commit", "date", "verdict"}) {
    take(name, [](const Json& value) { return value.is_string(); });
  }
  for (const char* name : {"before", "after", "now"}) {
    take(name, is_number_or_null);
  }
  take("stands", [](const Json& value) { return value.is_boolean(); });
  return row;
}

}  // namespace

Json history_json(const std::string& file) {
  if (file.empty()) {
    return nullptr;
  }
  const JsonText text = read_json_file(file);
  const Json& json = text.json();
  const bool has_rows = json.is_object() && json.contains("worse") && json["worse"].is_array();
  if (!has_rows ||
      !(json.value("since", Json()).is_string() || json.value("since", Json()).is_null())) {
    throw InputError(
        fmt::format("--history: {}: accepted: what `spca history worse --json` prints", file));
  }
  Json rows = Json::array();
  for (const Json& row : json["worse"]) {
    rows.push_back(history_row(row, fmt::format("--history: {}: /worse/{}", file, rows.size())));
  }
  return {{"since", json.value("since", Json())}, {"rows", rows}};
}

Json changes_json(const std::vector<ReportedRun>& runs, const std::filesystem::path& folder,
                  Damage damage) {
  Json list = Json::array();
  for (const ReportedRun& run : runs) {
    list.push_back(change_json(run, folder, damage));
  }
  return {{"folder", folder.generic_string()}, {"runs", list}};
}

}  // namespace spca::cli

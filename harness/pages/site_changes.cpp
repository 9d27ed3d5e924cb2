#include "harness/pages/site_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/comparisons/baseline_file.h"
#include "harness/comparisons/gate.h"
#include "harness/history/dates.h"
#include "harness/history/history_file.h"
#include "harness/history/trends.h"
#include "harness/tables/number_text.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/io/json_file.h"

namespace spca {
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

/// Returns every change, the gravest first.
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

/// Returns "" if the run and the baseline answer the same question, otherwise the reason.
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

}  // namespace

Json history_json(const std::string& file, const std::string& since) {
  const std::string moment = since.empty() ? "" : utc_moment(since, "--since");
  const std::filesystem::path path = file.empty() ? history_path() : std::filesystem::path(file);
  if (file.empty() && !std::filesystem::exists(path)) {
    if (!since.empty()) {
      throw InputError(
          fmt::format("--since: there is no history {}; accepted: --history FILE, or one that "
                      "`spca history add` made",
                      path.string()));
    }
    return nullptr;
  }
  const HistoryFile history(path, SqlAccess::kExisting);
  return {{"since", moment.empty() ? Json(nullptr) : Json(moment)},
          {"rows", worse_json(worse_since(history, {}, moment))}};
}

Json changes_json(const std::vector<ReportedRun>& runs, const std::filesystem::path& folder,
                  Damage damage) {
  Json list = Json::array();
  for (const ReportedRun& run : runs) {
    list.push_back(change_json(run, folder, damage));
  }
  return {{"folder", folder.generic_string()}, {"runs", list}};
}

}  // namespace spca

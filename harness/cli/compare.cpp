#include "harness/comparisons/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/comparisons/performance_profile.h"
#include "harness/runs/find_run.h"
#include "harness/tables/number_text.h"
#include "harness/tables/table.h"
#include "spca/base/text.h"
#include "spca/io/json_file.h"

namespace spca::cli {
namespace {

struct CompareOptions {
  std::string first, second;
  bool json = false;
  bool force = false;
};

std::string number(double value) { return std::isfinite(value) ? significant_text(value, 6) : "-"; }

/// Returns the verdict in words. If the metric has no direction, the verdict "better" only means
/// larger, so the result is "differs".
const char* difference_name(const MetricDifference& difference) {
  switch (difference.pairs.verdict) {
    case Verdict::kBetter:
      return difference.has_direction ? "B better" : "differs";
    case Verdict::kWorse:
      return difference.has_direction ? "B worse" : "differs";
    case Verdict::kMatch:
      return "same";
    default:
      return "-";
  }
}

/// Returns the two-sided probability, which is twice the one-sided one: the test has no preferred
/// direction.
double two_sided(double p) { return std::isnan(p) ? p : std::min(1.0, 2 * p); }

std::string test_text(const MetricDifference& difference) {
  const PairedComparison& pairs = difference.pairs;
  if (!difference.reason.empty()) {
    return difference.reason;
  }
  const std::string test =
      pairs.ratio ? fmt::format("ratio {:.3g} to {:.3g}", pairs.ratio->low, pairs.ratio->high)
      : std::isfinite(pairs.p_value) ? fmt::format("p = {:.2g}", two_sided(pairs.p_value))
                                     : std::string("no repeat differs");
  return difference.significant ? test + ", significant" : test;
}

/// Returns a table of the differences only, because thousands of equal numbers would hide them.
Table difference_table(const RunComparison& comparison) {
  Table table;
  table.header = {"cell", "metric", "A", "B", "B - A", "verdict", "test"};
  std::size_t same = 0;
  std::map<std::string, std::size_t> without_number;
  for (const CellDifference& cell : comparison.cells) {
    for (const MetricDifference& difference : cell.metrics) {
      if (!std::isfinite(difference.pairs.difference)) {
        if (!cell.answers.empty()) {
          continue;  // another line gives the reason
        }
        ++without_number[fmt::format("{}: {}", difference.metric, difference.reason)];
      } else if (std::abs(difference.pairs.difference) <= difference.pairs.tolerance) {
        ++same;
      } else {
        table.rows.push_back({cell.first->label(), difference.metric,
                              number(difference.pairs.reference), number(difference.pairs.ours),
                              number(difference.pairs.difference), difference_name(difference),
                              test_text(difference)});
      }
    }
  }
  table.notes = {fmt::format("{} numbers are the same within their metrics' tolerances.", same)};
  for (const auto& [reason, count] : without_number) {
    table.notes.push_back(
        fmt::format("not compared: {} ({} cell{})", reason, count, count == 1 ? "" : "s"));
  }
  return table;
}

Table profile_table(const PerformanceProfile& profile, const std::string& title) {
  Table table;
  table.title = fmt::format("{}, {}, {} problems: share within factor tau of the best ({})", title,
                            profile.grid, profile.problems, profile.metric);
  table.header = {"solver \\ tau"};
  for (const double tau : profile.tau) {
    table.header.push_back(fmt::format("{:g}", tau));
  }
  for (const PerformanceProfile::Row& row : profile.rows) {
    table.rows.push_back({row.solver});
    for (const double share : row.share) {
      table.rows.back().push_back(fmt::format("{:.3f}", share));
    }
  }
  return table;
}

std::string profiles_text(const std::vector<PerformanceProfile>& profiles,
                          const std::string& title) {
  std::string text;
  for (const PerformanceProfile& profile : profiles) {
    text += "\n";
    text += profile.problems == 0
                ? fmt::format("{}, {}: none: {}\n", title, printable(profile.grid), profile.reason)
                : render(profile_table(profile, title), TableFormat::kText);
  }
  return text;
}

std::string comparison_text(const RunComparison& comparison, const ComparedRun& first,
                            const ComparedRun& second) {
  std::string text =
      fmt::format("{} cells in both, {} only in A, {} only in B\n", comparison.cells.size(),
                  comparison.only_first.size(), comparison.only_second.size());
  if (!comparison.machine_difference.empty()) {
    text += fmt::format("different machines (B against A): {}\n", comparison.machine_difference);
  }
  const Table differences = difference_table(comparison);
  text += "\n";
  text += differences.rows.empty() ? join(differences.notes, "\n") + "\n"
                                   : render(differences, TableFormat::kText);
  for (const CellDifference& cell : comparison.cells) {
    if (!cell.data.empty()) {
      text += fmt::format("{}: {}\n", cell.first->label(), cell.data);
    }
    if (!cell.answers.empty()) {
      text += fmt::format("{}: {}\n", cell.first->label(), cell.answers);
    }
  }
  for (const auto& [labels, name] :
       {std::pair{&comparison.only_first, "A"}, {&comparison.only_second, "B"}}) {
    for (const std::string& label : *labels) {
      text += fmt::format("only in {}: {}\n", name, label);
    }
  }
  text += profiles_text(value_profiles(first, second), "Performance profile by value");
  text += profiles_text(time_profiles(first, second), "Performance profile by time");
  return text;
}

Json difference_json(const MetricDifference& difference) {
  const PairedComparison& pairs = difference.pairs;
  Json json = {{"metric", difference.metric},
               {"a", number_to_json(pairs.reference)},
               {"b", number_to_json(pairs.ours)},
               {"difference", number_to_json(pairs.difference)},
               {"tolerance", number_to_json(pairs.tolerance)},
               {"verdict", difference_name(difference)},
               {"repeats", pairs.pairs},
               {"better", pairs.better},
               {"worse", pairs.worse},
               {"p_value", number_to_json(two_sided(pairs.p_value))},
               {"ratio_interval", nullptr},
               {"significant", difference.significant},
               {"reason", difference.reason}};
  if (pairs.ratio) {
    json["ratio_interval"] = {pairs.ratio->low, pairs.ratio->high};
  }
  return json;
}

Json profiles_json(const std::vector<PerformanceProfile>& profiles) {
  Json list = Json::array();
  for (const PerformanceProfile& profile : profiles) {
    Json rows = Json::array();
    for (const PerformanceProfile::Row& row : profile.rows) {
      rows.push_back({{"solver", row.solver}, {"share", row.share}});
    }
    list.push_back({{"grid", profile.grid},
                    {"metric", profile.metric},
                    {"problems", profile.problems},
                    {"reason", profile.reason},
                    {"tau", profile.tau},
                    {"solvers", rows}});
  }
  return list;
}

Json run_comparison_json(const RunComparison& comparison, const ComparedRun& first,
                         const ComparedRun& second) {
  Json cells = Json::array();
  for (const CellDifference& cell : comparison.cells) {
    Json metrics = Json::array();
    for (const MetricDifference& difference : cell.metrics) {
      metrics.push_back(difference_json(difference));
    }
    cells.push_back({{"grid", cell.first->grid},
                     {"dataset", cell.first->dataset},
                     {"solver", cell.first->solver},
                     {"deflation", cell.first->deflation},
                     {"cardinality", cell.first->cardinality},
                     {"answers", cell.answers},
                     {"data", cell.data},
                     {"metrics", metrics}});
  }
  return {{"cells", cells},
          {"only_a", comparison.only_first},
          {"only_b", comparison.only_second},
          {"machine_difference", comparison.machine_difference},
          {"profiles",
           {{"value", profiles_json(value_profiles(first, second))},
            {"time", profiles_json(time_profiles(first, second))}}}};
}

int compare(const CompareOptions& options) {
  const Damage damage = damage_from(options.force);
  const ComparedRun first = read_compared_run(find_run(options.first), damage);
  const ComparedRun second = read_compared_run(find_run(options.second), damage);
  const RunComparison comparison = compare_runs(first, second);
  if (options.json) {
    write_json(run_comparison_json(comparison, first, second));
  } else {
    write_stdout(comparison_text(comparison, first, second));
  }
  const bool any =
      std::any_of(comparison.cells.begin(), comparison.cells.end(), [](const CellDifference& cell) {
        return std::any_of(cell.metrics.begin(), cell.metrics.end(),
                           [](const MetricDifference& difference) {
                             return std::isfinite(difference.pairs.difference);
                           });
      });
  return any ? kExitOk : kExitNotComparable;
}

std::function<int()> declare_compare(Declarations& declare, const GlobalOptions&) {
  const auto options = std::make_shared<CompareOptions>();
  declare.positional("RUN_A", options->first,
                     "Folder of a run, or an experiment, whose newest run is used.");
  declare.positional("RUN_B", options->second,
                     "The run to compare with RUN_A, named in the same way.");
  declare.flag("--json", options->json, "Print every cell and metric, and the profiles, as JSON.");
  declare_force(declare, options->force);
  return [options] { return compare(*options); };
}

SPCA_COMMAND(
    "compare", CommandGroup::kResults,
    "Compare two runs cell by cell, with significance and performance profiles of their solvers",
    "  spca compare results/runs/quickstart/smoke other/smoke\n"
    "  spca compare before after --json",
    declare_compare);

}  // namespace
}  // namespace spca::cli

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/arguments.h"
#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/history/benchmark_import.h"
#include "harness/history/dates.h"
#include "harness/history/trends.h"
#include "harness/pages/python_program.h"
#include "harness/runs/find_run.h"
#include "harness/tables/number_text.h"
#include "harness/tables/table.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/base/standard_error.h"
#include "spca/base/text.h"

namespace spca::cli {
namespace {

namespace fs = std::filesystem;

struct HistoryOptions {
  std::string action, what, file, commit, date, machine, since, last, output;
  std::vector<std::string> metrics;
  bool json = false;
};

fs::path file_of(const HistoryOptions& options) {
  return options.file.empty() ? history_path() : fs::path(options.file);
}

std::string history_word(const HistoryOptions& options, const char* name) {
  return required_word("history " + options.action, options.what, name);
}

void accept_only(const HistoryOptions& options, const std::vector<std::string>& accepted,
                 const std::string& words = "") {
  refuse_others({{"--commit", !options.commit.empty()},
                 {"--date", !options.date.empty()},
                 {"--machine", !options.machine.empty()},
                 {"--since", !options.since.empty()},
                 {"--last", !options.last.empty()},
                 {"--output", !options.output.empty()},
                 {"--metric", !options.metrics.empty()}},
                accepted, words.empty() ? "history " + options.action : words);
}

int add_entry(const HistoryOptions& options, const HistoryEntry& entry) {
  HistoryFile file(file_of(options), SqlAccess::kMade);
  const std::optional<std::string> known = file.add(entry);
  for (const std::string& line : entry.left_out) {
    say("spca history: left out: {}", line);
  }
  if (entry.is_partial) {
    say("spca history: a partial run, {} of {} cells: it is kept apart from whole runs, as \"{}\"",
        entry.cells.size(), entry.of_cells == 0 ? "?" : std::to_string(entry.of_cells),
        entry.profile);
  } else if (entry.is_altered) {
    say("spca history: a run with other settings than the experiment's: it is kept apart, as "
        "\"{}\"",
        entry.profile);
  }
  if (entry.reused > 0) {
    say("spca history: {} of {} cells came from the cache: an earlier run measured their times, "
        "which are left out (`spca run --no-cache` measures again)",
        entry.reused, entry.cells.size());
  }
  if (options.json) {
    write_json({{"file", file.path().string()},
                {"added", !known.has_value()},
                {"known_as", known ? Json(*known) : Json(nullptr)},
                {"experiment", entry.experiment},
                {"profile", entry.profile},
                {"commit", entry.commit},
                {"date", entry.date},
                {"cells", entry.cells.size()},
                {"partial", entry.is_partial},
                {"altered", entry.is_altered},
                {"of_cells", entry.is_partial ? entry.of_cells : entry.cells.size()},
                {"reused", entry.reused}});
    return kExitOk;
  }
  const std::string run = entry.profile.empty()
                              ? entry.experiment
                              : fmt::format("{} ({})", entry.experiment, entry.profile);
  write_stdout(known ? fmt::format("{}: has this run of {} already, as commit {}\n",
                                   file.path().string(), run, *known)
                     : fmt::format("{}: added {}, commit {}, {}, {} cells\n", file.path().string(),
                                   run, entry.commit, entry.date, entry.cells.size()));
  return kExitOk;
}

int add(const HistoryOptions& options) {
  accept_only(options, {"--commit", "--date"});
  const fs::path run = find_run(history_word(options, "RUN"));
  return add_entry(
      options, entry_of_run(run, {.commit = options.commit, .date = options.date, .machine = ""}));
}

int remove(const HistoryOptions& options) {
  accept_only(options, {"--commit"});
  const std::string experiment = history_word(options, "EXPERIMENT");
  if (options.commit.empty()) {
    throw InputError(
        "--commit: found none; accepted: the commit whose runs are to be removed (`spca history "
        "show EXPERIMENT --json` lists them)");
  }
  HistoryFile(file_of(options), SqlAccess::kExisting);  // remove creates no file
  HistoryFile file(file_of(options), SqlAccess::kMade);
  const std::size_t removed = file.remove(experiment, options.commit);
  if (removed == 0) {
    std::vector<std::string> commits;
    for (const HistoryRun& run : file.runs(experiment)) {
      commits.push_back(run.commit);
    }
    throw InputError(fmt::format("{}: has no run of {} of commit {}; accepted: {}",
                                 file.path().string(), experiment, options.commit,
                                 commits.empty() ? "an experiment of the file" : join(commits)));
  }
  options.json
      ? write_json({{"file", file.path().string()},
                    {"experiment", experiment},
                    {"commit", options.commit},
                    {"removed", removed}})
      : write_stdout(fmt::format("{}: removed {} run{} of {}, commit {}\n", file.path().string(),
                                 removed, removed == 1 ? "" : "s", experiment, options.commit));
  return kExitOk;
}

int import(const HistoryOptions& options) {
  accept_only(options, {"--commit", "--date", "--machine"});
  return add_entry(
      options,
      read_benchmark(history_word(options, "BENCHMARK.json"),
                     {.commit = options.commit, .date = options.date, .machine = options.machine}));
}

std::string day_of(const std::string& date) { return date.substr(0, date.find('T')); }

std::string shown_number(double value) {
  return std::isfinite(value) ? significant_text(value, 6) : "-";
}

std::string ratio_text(double before, double after) {
  return before > 0 && after > 0 ? significant_text(after / before, 3) : "-";
}

std::string p_value_text(double p_value) {
  return std::isfinite(p_value) ? significant_text(p_value, 2) : "exact";
}

int list(const HistoryOptions& options) {
  const HistoryFile file(file_of(options), SqlAccess::kExisting);
  struct Listed {
    std::size_t runs = 0;
    std::size_t apart = 0;  // partial and altered ones, which are among `runs`
    HistoryRun first, last;
  };
  std::map<std::string, Listed> experiments;
  for (const HistoryRun& run : file.runs()) {
    Listed& listed = experiments[run.experiment];
    listed.first = listed.runs == 0 ? run : listed.first;
    listed.last = run;
    ++listed.runs;
    listed.apart += is_kept_apart(run) ? 1 : 0;
  }
  if (options.json) {
    Json json = Json::object();
    for (const auto& [name, listed] : experiments) {
      json[name] = {{"runs", listed.runs},
                    {"kept_apart", listed.apart},
                    {"first", {{"commit", listed.first.commit}, {"date", listed.first.date}}},
                    {"last", {{"commit", listed.last.commit}, {"date", listed.last.date}}}};
    }
    write_json({{"file", file.path().string()}, {"experiments", json}});
    return kExitOk;
  }
  std::vector<std::vector<std::string>> rows = {
      {"experiment", "runs", "kept apart", "first", "commit", "last", "commit"}};
  for (const auto& [name, listed] : experiments) {
    rows.push_back({name, std::to_string(listed.runs), std::to_string(listed.apart),
                    day_of(listed.first.date), listed.first.commit, day_of(listed.last.date),
                    listed.last.commit});
  }
  write_stdout(aligned(rows));
  return kExitOk;
}

/// Returns a line for each change at `since` or later.
Table change_table(const Trends& trends, const std::string& since) {
  Table table;
  table.header = {"cell", "metric", "before", "after", "ratio", "commit", "date", "verdict", "p"};
  for (const Trend& trend : trends.trends) {
    for (const TrendChange& change : trend.changes) {
      const HistoryRun& run = trends.runs[trend.points[change.point].run];
      if (run.date < since) {
        continue;
      }
      table.rows.push_back({trend.label(), trend.metric, shown_number(change.before),
                            shown_number(change.after), ratio_text(change.before, change.after),
                            run.commit, day_of(run.date), change_name(change.verdict),
                            p_value_text(change.p_value)});
    }
  }
  return table;
}

/// Returns a line for each series, for a request that names metrics.
Table series_table(const Trends& trends) {
  Table table;
  table.header = {"cell",  "metric",  "machine", "runs",   "first",
                  "least", "largest", "last",    "changes"};
  for (const Trend& trend : trends.trends) {
    const auto [least, largest] = std::minmax_element(
        trend.points.begin(), trend.points.end(),
        [](const TrendPoint& a, const TrendPoint& b) { return a.value < b.value; });
    std::vector<std::string> commits;
    for (const TrendChange& change : trend.changes) {
      commits.push_back(trends.runs[trend.points[change.point].run].commit);
    }
    table.rows.push_back(
        {trend.label(), trend.metric, trend.is_machine ? std::to_string(trend.machine) : "any",
         std::to_string(trend.points.size()), shown_number(trend.points.front().value),
         shown_number(least->value), shown_number(largest->value),
         shown_number(trend.points.back().value), commits.empty() ? "-" : join(commits)});
  }
  return table;
}

std::string trends_text(const Trends& trends, bool every_series, const std::string& since) {
  std::size_t unchanged = 0;
  std::size_t noisy = 0;
  for (const Trend& trend : trends.trends) {
    unchanged += trend.changes.empty() ? 1 : 0;
    noisy += trend.is_machine ? 1 : 0;
  }
  std::string text = fmt::format("{}: {} run{}, {} to {}, {} machine{}\n", trends.experiment,
                                 trends.runs.size(), trends.runs.size() == 1 ? "" : "s",
                                 day_of(trends.runs.front().date), day_of(trends.runs.back().date),
                                 trends.machines.size(), trends.machines.size() == 1 ? "" : "s");
  if (every_series) {
    text += "\n" + render(series_table(trends), TableFormat::kText);
  }
  const Table changes = change_table(trends, since);
  text += changes.rows.empty() ? "\nno change\n" : "\n" + render(changes, TableFormat::kText);
  text += fmt::format("\n{} series, {} without a change\n", trends.trends.size(), unchanged);
  if (noisy > 0) {
    text += fmt::format(
        "{} are of times and the like: {}\n", noisy,
        trends.level > 0 ? fmt::format("p-values up to {} count", significant_text(trends.level, 2))
                         : std::string("none changed by more than chance"));
  }
  if (trends.contended > 0) {
    text += fmt::format("{} measurements left out: made beside other cells (`-j 1`)\n",
                        trends.contended);
  }
  return text;
}

fs::path checked_picture(const std::string& file) {
  const std::string ending = fs::path(file).extension();
  if (ending != ".svg" && ending != ".png" && ending != ".pdf") {
    throw InputError(fmt::format(
        "--output: found \"{}\"; accepted: a file that ends in .svg, .png or .pdf", file));
  }
  return file;
}

int show(const HistoryOptions& options) {
  if (options.what.empty()) {
    accept_only(options, {}, "history show without EXPERIMENT");
    return list(options);
  }
  accept_only(options, {"--metric", "--last", "--output", "--since"});
  const std::string since = options.since.empty() ? "" : utc_moment(options.since, "--since");
  const std::size_t last =
      options.last.empty() ? 0 : static_cast<std::size_t>(parse_whole("--last", options.last, 2));
  const fs::path picture = options.output.empty() ? fs::path() : checked_picture(options.output);
  const HistoryFile file(file_of(options), SqlAccess::kExisting);
  TrendRequest request{.experiment = options.what, .metrics = options.metrics, .last = last};
  // A picture of all metrics at once would be unreadable.
  if (!picture.empty() && request.metrics.empty()) {
    request.metrics = {"solve_seconds", "real_seconds"};
  }
  const Trends trends = find_trends(file, request);
  Json json = trends_json(trends);
  json["worse"] = worse_json(worse_since(trends, since));
  if (options.json) {
    write_json(json);
  } else {
    write_stdout(trends_text(trends, !options.metrics.empty(), since));
  }
  return picture.empty()
             ? kExitOk
             : run_python("history_figure.py", {picture.string()}, json_line(json)).exit_code;
}

int worse(const HistoryOptions& options) {
  accept_only(options, {"--metric", "--since"});
  const std::string since = options.since.empty() ? "" : utc_moment(options.since, "--since");
  const HistoryFile file(file_of(options), SqlAccess::kExisting);
  const std::vector<WorseRow> rows =
      options.what.empty()
          ? worse_since(file, options.metrics, since)
          : worse_since(find_trends(file, {.experiment = options.what, .metrics = options.metrics}),
                        since);
  Verdict verdict = Verdict::kMatch;
  for (const WorseRow& row : rows) {
    verdict = row.stands ? std::max(verdict, row.verdict) : verdict;
  }
  if (options.json) {
    write_json({{"file", file.path().string()},
                {"since", since.empty() ? Json(nullptr) : Json(since)},
                {"verdict", verdict_name(verdict)},
                {"worse", worse_json(rows)}});
    return spca::exit_code(verdict);
  }
  Table table;
  table.header = {"experiment", "cell",   "metric", "before", "after",
                  "now",        "commit", "date",   "verdict"};
  for (const WorseRow& row : rows) {
    table.rows.push_back({row.experiment, row.label, row.metric, shown_number(row.before),
                          shown_number(row.after), shown_number(row.now), row.commit,
                          day_of(row.date),
                          row.stands ? change_name(row.verdict)
                                     : fmt::format("{}, mended", change_name(row.verdict))});
  }
  const std::string when = since.empty() ? "" : " since " + day_of(since);
  write_stdout(rows.empty() ? fmt::format("nothing got worse{}\n", when)
                            : render(table, TableFormat::kText));
  return spca::exit_code(verdict);
}

int act(const HistoryOptions& options) {
  const std::vector<std::pair<std::string, int (*)(const HistoryOptions&)>> actions = {
      {"add", add}, {"import", import}, {"show", show}, {"worse", worse}, {"remove", remove}};
  std::vector<std::string> names;
  for (const auto& [name, action] : actions) {
    if (name == options.action) {
      return action(options);
    }
    names.push_back(name);
  }
  throw InputError(fmt::format("ACTION: found \"{}\"{}; accepted: {}", options.action,
                               did_you_mean(options.action, names), join(names)));
}

std::function<int()> declare_history(Declarations& declare, const GlobalOptions&) {
  const auto options = std::make_shared<HistoryOptions>();
  declare.positional(
      "ACTION", options->action,
      "Action: add, import, show, worse or remove. add stores a run; import stores a file of "
      "Google Benchmark; show prints an experiment's numbers and where they changed, or lists the "
      "contents; worse prints what got worse; remove deletes the runs of a commit.");
  declare.optional_positional("WHAT", options->what,
                              "add: folder of a run, or an experiment (its newest run); import: a "
                              "JSON file; show, worse, remove: an experiment.");
  declare.option("--file FILE", options->file,
                 "File of the history (default: SPCA_HISTORY, or else results/history.sqlite).");
  declare.option("--commit NAME", options->commit,
                 "add, import: the commit that was measured (required by import; default of add: "
                 "digits of the sources' digest); remove: the commit whose runs are removed.");
  declare.option("--date DATE", options->date,
                 "add, import: day or time of the run (default of add: when the run ended; of "
                 "import: the date in the file).");
  declare.option("--machine NAME", options->machine,
                 "import: name of the machine, instead of the one in the file.");
  declare.repeatable("--metric NAME", options->metrics,
                     "show, worse: restrict the output to this metric or glob.");
  declare.option("--since DATE", options->since, "show, worse: leave out changes before this day.");
  declare.option("--last N", options->last, "show: number of last runs to print (default: all).");
  declare.option("-o,--output FILE", options->output,
                 "show: also draw metrics (default solve_seconds and real_seconds) to a file that "
                 "ends in .svg, .png or .pdf.");
  declare.flag("--json", options->json, "Print JSON instead of text.");
  return [options] { return act(*options); };
}

SPCA_COMMAND("history", CommandGroup::kResults,
             "Keep the results of many commits in one file, and find what changed when (exit code "
             "of worse: 0 nothing, 4 worse, 6 only slower)",
             "  spca history add quickstart --commit $(git rev-parse --short HEAD)\n"
             "  spca history show quickstart --metric solve_seconds -o trend.svg\n"
             "  spca history worse --since 2026-10-23\n"
             "  spca history import benchmark.json --commit v1.2",
             declare_history);

}  // namespace
}  // namespace spca::cli

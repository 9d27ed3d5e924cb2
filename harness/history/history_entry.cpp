#include "harness/history/history_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/comparisons/baseline_file.h"
#include "harness/comparisons/paired_comparison.h"
#include "harness/experiments/experiment.h"
#include "harness/history/dates.h"
#include "harness/records/manifest.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/base/sha256.h"
#include "spca/base/text.h"
#include "spca/data/data_folder.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

constexpr std::size_t kLongestCommit = 64;
constexpr std::size_t kRevisionDigits = 12;

/// Returns the options that differ from this program's defaults, or all options if the program
/// lacks the plugin.
template <class Entry>
Json set_options(const std::string& name, const Json& options) {
  const Entry* entry = Registry<Entry>::instance().find(name);
  Json defaults = Json::object();
  try {
    defaults = entry == nullptr ? defaults : entry->complete_options(Json::object(), "");
  } catch (const InputError&) {
    // The plugin has an option without a default: every option is kept.
  }
  Json set = Json::object();
  for (const auto& [key, value] : options.items()) {
    if (!defaults.contains(key) || defaults.at(key) != value) {
      set[key] = value;
    }
  }
  return set;
}

Json question_of(const ComparedRun& run, const Json& manifest, const std::string& profile,
                 const ComparedCell& cell) {
  Json repeats = Json::array();
  for (const ComparedRepeat& repeat : cell.repeats) {
    repeats.push_back(repeat.repeat);
  }
  return {{"experiment", run.experiment},
          {"profile", profile},
          {"seed", manifest.at("seed")},
          {"time_limit_seconds", manifest.at("time_limit_seconds")},
          {"grid", cell.grid},
          {"dataset", cell.dataset},
          {"solver", cell.solver},
          {"deflation", cell.deflation},
          {"cardinality", cell.cardinality},
          {"dataset_name", cell.dataset_name},
          {"dataset_options", set_options<DatasetEntry>(cell.dataset_name, cell.dataset_options)},
          {"solver_name", cell.solver_name},
          {"solver_options", set_options<SolverEntry>(cell.solver_name, cell.solver_options)},
          {"repeats", repeats}};
}

/// Returns one metric of a cell; count is 0 if no repeat has a number.
EntryPoint point_of(const ComparedCell& cell, const std::string& metric) {
  EntryPoint point{.metric = metric};
  const bool is_machine = is_machine_metric(metric);
  Json by_repeat = Json::array();
  double sum = 0;
  for (const ComparedRepeat& repeat : cell.repeats) {
    const double value = repeat.has_answer() ? repeat.value(metric) : kNotMeasured;
    const bool counts = std::isfinite(value) && (!is_machine || value > 0);
    by_repeat.push_back(number_to_json(counts ? value : kNotMeasured));
    if (counts) {
      sum += is_machine ? std::log(value) : value;
      ++point.count;
      point.contended = point.contended || (is_machine && repeat.contended);
    }
  }
  if (point.count > 0) {
    const double mean = sum / static_cast<double>(point.count);
    point.mean = is_machine ? std::exp(mean) : mean;
  }
  if (is_machine) {
    point.by_repeat = json_line(by_repeat);
  }
  return point;
}

bool was_reused(const ComparedCell& cell) {
  return std::any_of(cell.repeats.begin(), cell.repeats.end(),
                     [](const ComparedRepeat& repeat) { return repeat.reused; });
}

std::vector<EntryPoint> points_of(const ComparedCell& cell) {
  const auto answers = static_cast<std::size_t>(
      std::count_if(cell.repeats.begin(), cell.repeats.end(),
                    [](const ComparedRepeat& repeat) { return repeat.has_answer(); }));
  std::vector<EntryPoint> points = {{.metric = kAnswersMetric,
                                     .mean = static_cast<double>(answers),
                                     .count = cell.repeats.size(),
                                     .by_repeat = {}}};
  for (const std::string& metric : cell.metric_names()) {
    if (is_machine_metric(metric) && was_reused(cell)) {
      continue;
    }
    EntryPoint point = point_of(cell, metric);
    if (point.count > 0) {
      points.push_back(std::move(point));
    }
  }
  return points;
}

/// Returns the part of a cell that every solve reproduces, without times and without the mark of
/// a cell that ran while others did.
std::string answer_of(ComparedCell cell) {
  for (ComparedRepeat& repeat : cell.repeats) {
    repeat.contended = false;
    std::erase_if(repeat.metrics,
                  [](const auto& metric) { return is_machine_metric(metric.first); });
  }
  return baseline_cell_text(cell);
}

/// Returns the number of cells of the run's experiment without filters; 0 if this program cannot
/// load the experiment, for example because it lacks a plugin.
std::size_t cells_of_whole(const std::filesystem::path& directory, const Json& manifest) {
  try {
    ExperimentOverrides overrides = overrides_from_json(manifest.at("overrides"));
    overrides.only_solvers.clear();
    overrides.only_datasets.clear();
    return load_experiment(directory / "experiment.json", overrides, data_directory(""))
        .variants.size();
  } catch (const InputError&) {
    return 0;
  }
}

/// Returns a digest that is equal for equal sources and solves, times included.
std::string digest_of_run(const std::vector<Record>& records, const ComparedRun& run) {
  std::vector<std::string> lines;
  for (const Record& record : records) {
    lines.push_back(fmt::format("{} {}", record.key, record.cost.solve_seconds));
  }
  std::sort(lines.begin(), lines.end());
  return sha256(json_line({run.experiment, run.revision, run.machine, lines}));
}

}  // namespace

std::string checked_commit(const std::string& commit) {
  const bool is_visible = std::all_of(commit.begin(), commit.end(),
                                      [](char letter) { return letter > ' ' && letter <= '~'; });
  if (commit.empty() || commit.size() > kLongestCommit || !is_visible) {
    throw InputError(fmt::format("--commit: found {}; accepted: 1 to {} visible ASCII characters",
                                 in_quotes(commit), kLongestCommit));
  }
  return commit;
}

std::string part_text(const Json& overrides, const Json& shard) {
  std::string text;
  for (const auto& [member, kind] :
       {std::pair("only_solvers", "solver"), std::pair("only_datasets", "dataset")}) {
    for (const Json& glob :
         overrides.is_object() ? overrides.value(member, Json::array()) : Json::array()) {
      text += fmt::format(" --only {} {}", kind, glob.is_string() ? glob.get<std::string>() : "");
    }
  }
  return shard.is_string() ? text + " --shard " + shard.get<std::string>() : text;
}

std::string settings_text(const Json& overrides) {
  if (!overrides.is_object()) {
    return "";
  }
  const Json repeats = overrides.value("repeats", Json());
  std::string text = repeats.is_number() ? " --repeats " + json_line(repeats) : "";
  for (const Json& setting : overrides.value("set", Json::array())) {
    text += fmt::format(" --set {}", setting.is_string() ? setting.get<std::string>() : "");
  }
  return text;
}

bool is_kept_apart(const EntryOrigin& run) {
  return run.overrides.is_object() && run.profile != run.overrides.value("profile", run.profile);
}

HistoryEntry entry_of_run(const std::filesystem::path& directory, const EntryWords& words,
                          Damage damage) {
  const ComparedRun run = read_compared_run(directory, damage);
  const Json manifest = read_manifest(directory, damage);
  const std::string name = directory.string();
  if (run.repeats() < run.expected) {
    throw InputError(
        fmt::format("RUN: {}: found {} of {} cells; accepted: a finished run (the command that "
                    "began it continues it)",
                    name, run.repeats(), run.expected));
  }
  HistoryEntry entry;
  entry.kind = "run";
  entry.experiment = run.experiment;
  entry.machine = run.machine;
  entry.overrides = run.overrides;
  entry.revision = run.revision.at("sources").get<std::string>();
  entry.commit = words.commit.empty() ? entry.revision.substr(0, kRevisionDigits)
                                      : checked_commit(words.commit);
  try {
    const std::string part = part_text(run.overrides, manifest.value("shard", Json(nullptr)));
    entry.is_partial = !part.empty();
    const std::string settings = settings_text(run.overrides);
    entry.is_altered = !settings.empty();
    entry.profile = manifest.at("profile").get<std::string>() + part + settings;
    entry.of_cells = entry.is_partial ? cells_of_whole(directory, manifest) : 0;
    if (entry.of_cells < run.cells.size()) {
      entry.of_cells = 0;  // a pattern of solvers lacks those that only the program of the run has
    }
    entry.date = words.date.empty() ? utc_moment(manifest.at("ended").get<std::string>(),
                                                 name + "/manifest.json: /ended")
                                    : utc_moment(words.date, "--date");
    for (const ComparedCell& cell : run.cells) {
      entry.reused += was_reused(cell) ? 1 : 0;
      entry.cells.push_back({.question = question_of(run, manifest, entry.profile, cell),
                             .answer = answer_of(cell),
                             .points = points_of(cell)});
    }
  } catch (const Json::exception&) {
    throw InputError(fmt::format(
        "{}/manifest.json: found no profile, seed, time limit or end; accepted: the manifest of a "
        "finished run of this program",
        name));
  }
  entry.digest = digest_of_run(read_records(directory / "cells.jsonl", damage), run);
  return entry;
}

}  // namespace spca

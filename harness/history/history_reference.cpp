#include "harness/history/history_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "harness/comparisons/baseline.h"
#include "harness/comparisons/baseline_file.h"
#include "harness/records/median.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/base/text.h"

namespace spca {
namespace {

/// Maps metric and repeat to the numbers of several runs.
using Numbers = std::map<std::pair<std::string, Index>, std::vector<double>>;

void add_number(Numbers& numbers, const std::string& metric, Index repeat, double value) {
  if (std::isfinite(value)) {
    numbers[{metric, repeat}].push_back(value);
  }
}

void add_answer(Numbers& numbers, const ComparedCell& cell) {
  for (const ComparedRepeat& repeat : cell.repeats) {
    for (const auto& [metric, value] : repeat.metrics) {
      add_number(numbers, metric, repeat.repeat, repeat.has_answer() ? value : kNotMeasured);
    }
  }
}

/// Adds the numbers of a point. `cell` has the repeats of the question in the order of the point's
/// list.
void add_point(Numbers& numbers, const ComparedCell& cell, const HistoryPoint& point) {
  const Json list = parse_json(point.by_repeat);
  for (std::size_t i = 0; list.is_array() && i < std::min(list.size(), cell.repeats.size()); ++i) {
    add_number(numbers, point.metric, cell.repeats[i].repeat,
               list[i].is_number() ? list[i].get<double>() : kNotMeasured);
  }
}

/// Replaces the numbers of the newest run by the medians.
void set_medians(ComparedCell& cell, const Numbers& numbers) {
  for (ComparedRepeat& repeat : cell.repeats) {
    for (const auto& [key, values] : numbers) {
      if (key.second == repeat.repeat && repeat.has_answer()) {
        repeat.metrics[key.first] = median_of(values);
      }
    }
  }
}

/// Returns all runs of the kind, experiment and profile of `ours`, the newest last, without `ours`.
std::vector<HistoryRun> runs_before(const HistoryFile& file, const HistoryEntry& ours) {
  std::vector<HistoryRun> runs = file.runs(ours.experiment);
  std::erase_if(runs, [&](const HistoryRun& run) {
    return run.kind != ours.kind || run.profile != ours.profile || run.digest == ours.digest;
  });
  return runs;
}

}  // namespace

HistoryReference history_reference(const HistoryFile& file, const HistoryEntry& ours,
                                   std::size_t last) {
  std::vector<HistoryRun> runs = runs_before(file, ours);
  HistoryReference reference;
  ComparedRun& run = reference.baseline.run;
  run.experiment = ours.experiment;
  run.overrides = ours.overrides;
  run.machine = ours.machine;
  if (runs.empty()) {
    reference.name = fmt::format("{}, which has no other run of {} {}", file.path().string(),
                                 ours.experiment, ours.profile);
    return reference;
  }
  if (runs.size() > last) {
    runs.erase(runs.begin(), runs.end() - static_cast<std::ptrdiff_t>(last));
  }
  const HistoryRun& newest = runs.back();
  reference.name = fmt::format("{}, the median of {} run{} to commit {}", file.path().string(),
                               runs.size(), runs.size() == 1 ? "" : "s", newest.commit);
  run.overrides = newest.overrides;
  run.revision = {{"version", ""}, {"sources", newest.revision}};
  std::map<std::int64_t, std::size_t> position;  // question -> index of its cell
  for (auto& [question, text] : file.cells(newest.number)) {
    position.emplace(question, run.cells.size());
    run.cells.push_back(read_baseline_cell(text, file.path().string()));
  }
  std::vector<Numbers> numbers(run.cells.size());
  std::set<std::int64_t> of_this_machine;
  for (const HistoryRun& one : runs) {
    if (one.machine == ours.machine) {
      of_this_machine.insert(one.number);
    }
    for (const auto& [question, text] : file.cells(one.number)) {
      const auto cell = position.find(question);
      if (cell != position.end()) {
        add_answer(numbers[cell->second], read_baseline_cell(text, file.path().string()));
      }
    }
  }
  for (const HistoryPoint& point : file.points(ours.experiment)) {
    const auto cell = position.find(point.question);
    if (!point.by_repeat.empty() && !point.contended && cell != position.end() &&
        of_this_machine.contains(point.run)) {
      add_point(numbers[cell->second], run.cells[cell->second], point);
    }
  }
  for (std::size_t i = 0; i < run.cells.size(); ++i) {
    set_medians(run.cells[i], numbers[i]);
  }
  run = baseline_content(std::move(run), true).run;
  run.expected = run.repeats();
  return reference;
}

Json newest_overrides(const HistoryFile& file, const std::string& experiment,
                      const std::string& profile) {
  const std::vector<HistoryRun> runs = file.runs(experiment);
  const auto find_newest = [&](bool is_any_accepted) {
    return std::find_if(runs.rbegin(), runs.rend(), [&](const HistoryRun& run) {
      return run.kind == "run" && (profile.empty() || run.profile == profile) &&
             (is_any_accepted ||
              (part_text(run.overrides, nullptr).empty() && settings_text(run.overrides).empty()));
    });
  };
  // A partial or altered run represents the experiment only if there is no other one.
  auto newest = find_newest(false);
  if (newest == runs.rend()) {
    newest = find_newest(true);
  }
  if (newest == runs.rend()) {
    throw InputError(fmt::format(
        "RUN_OR_EXPERIMENT: {} has no run of {}{}{}; accepted: a run folder, or an experiment of "
        "which `spca history add` has added a run",
        file.path().string(), in_quotes(experiment), profile.empty() ? "" : ", profile ", profile));
  }
  return newest->overrides;
}

}  // namespace spca

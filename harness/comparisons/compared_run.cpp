#include "harness/comparisons/compared_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/experiments/experiment_identity.h"
#include "harness/runs/run_writer.h"
#include "spca/base/json_text.h"
#include "spca/base/sha256.h"
#include "spca/measure/metrics.h"

namespace spca {
namespace {

ComparedRepeat repeat_of(const Record& record) {
  ComparedRepeat repeat{.repeat = record.repeat,
                        .seed = record.seed,
                        .status = record.status,
                        .message = record.message,
                        .contended = !has_comparable_timing(record),
                        .reused = !record.origin.empty(),
                        .metrics = {},
                        .components = {},
                        .facts = record.facts};
  // An answer with fewer components than requested answers another question. An invalid answer is
  // none, and the reader of a baseline refuses its components.
  if (!is_partial(record) && is_usable(record.status)) {
    repeat.components = record.loadings;
  }
  for (const auto* metrics : {&record.metrics, &record.timing}) {
    for (const auto& [name, values] : *metrics) {
      repeat.metrics[name] = total_of(name, values);
      if (values.size() > 1) {
        repeat.by_component[name] = values;
      }
    }
  }
  return repeat;
}

ComparedCell cell_of(const Record& record) {
  return {.grid = record.grid,
          .dataset = record.dataset,
          .solver = record.solver,
          .deflation = record.deflation,
          .cardinality = record.cardinality,
          .dataset_name = record.dataset_name,
          .solver_name = record.solver_name,
          .dataset_options = record.dataset_options,
          .solver_options = record.options,
          .unconstrained = record.unconstrained,
          .repeats = {}};
}

/// Removes a tuned penalty from the options. The harness found it as part of the answer: two runs
/// that find different penalties still have the same question.
void forget_tuned_option(ComparedCell& cell) {
  const SolverEntry* solver = SolverRegistry::instance().find(cell.solver_name);
  if (solver != nullptr) {
    cell.solver_options.erase(solver->traits.tuning.option);
  }
}

/// Sorts by repeat and keeps the last record of each repeat. If a run is not complete, its folder
/// may hold a record of older sources before the newer one, which must win. The list is reversed
/// first, so that the newer record comes first and the stable sort and unique keep it.
void sort_repeats(std::vector<ComparedRepeat>& repeats) {
  std::reverse(repeats.begin(), repeats.end());
  std::stable_sort(
      repeats.begin(), repeats.end(),
      [](const ComparedRepeat& a, const ComparedRepeat& b) { return a.repeat < b.repeat; });
  const auto end = std::unique(
      repeats.begin(), repeats.end(),
      [](const ComparedRepeat& a, const ComparedRepeat& b) { return a.repeat == b.repeat; });
  repeats.erase(end, repeats.end());
}

/// Gives each cell the identity that the keys of its records name.
void add_identities(const std::filesystem::path& directory, const std::vector<Record>& records,
                    std::uint64_t seed, std::vector<ComparedCell>& cells) {
  const std::map<std::string, Json> identities = read_identities(directory);
  std::map<std::string, const Json*> by_cell;  // the newest record of a cell comes last
  for (const Record& record : records) {
    const auto found = identities.find(std::string(identity_of_key(record.key)));
    by_cell[cell_of(record).identity()] = found == identities.end() ? nullptr : &found->second;
  }
  for (ComparedCell& cell : cells) {
    if (const Json* identity = by_cell.at(cell.identity())) {
      cell.identity_json = *identity;
      cell.data_checksum = identity->value("data_checksum", "");
      cell.experiment_seed = seed;
    }
  }
}

/// Collects the facts about the machine. A manifest has some of them under "build", some under
/// "machine", and `threads` at the top.
Json machine_of(const Json& manifest) {
  Json machine = Json::object();
  for (const std::string& field : machine_fields()) {
    const Json& part = manifest.at("build").contains(field)     ? manifest.at("build")
                       : manifest.at("machine").contains(field) ? manifest.at("machine")
                                                                : manifest;
    machine[field] = part.at(field);
  }
  return machine;
}

}  // namespace

std::string no_answer_text(const ComparedRepeat& repeat) {
  return repeat.message.empty() ? std::string(status_name(repeat.status))
                                : fmt::format("{}: {}", status_name(repeat.status), repeat.message);
}

double ComparedRepeat::value(const std::string& metric) const {
  const auto position = metrics.find(metric);
  return position == metrics.end() ? kNotMeasured : position->second;
}

std::string ComparedCell::label() const {
  return fmt::format("{}{} / {}{} / k = {}", grid == dataset ? "" : grid + " / ", dataset, solver,
                     deflation.empty() ? "" : ", " + deflation, cardinality_text(cardinality));
}

const ComparedRepeat* ComparedCell::find(Index repeat) const {
  const auto position =
      std::lower_bound(repeats.begin(), repeats.end(), repeat,
                       [](const ComparedRepeat& a, Index wanted) { return a.repeat < wanted; });
  return position != repeats.end() && position->repeat == repeat ? &*position : nullptr;
}

std::set<std::string> ComparedCell::metric_names() const {
  std::set<std::string> names;
  for (const ComparedRepeat& one : repeats) {
    for (const auto& [name, number] : one.metrics) {
      names.insert(name);
    }
  }
  return names;
}

std::size_t ComparedRun::repeats() const {
  std::size_t count = 0;
  for (const ComparedCell& cell : cells) {
    count += cell.repeats.size();
  }
  return count;
}

std::vector<ComparedCell> compared_cells(const std::vector<Record>& records) {
  std::vector<ComparedCell> cells;
  std::map<std::string, std::size_t> positions;
  for (const Record& record : records) {
    ComparedCell cell = cell_of(record);
    const auto [position, is_new] = positions.emplace(cell.identity(), cells.size());
    if (is_new) {
      cells.push_back(std::move(cell));
    }
    ComparedCell& target = cells[position->second];
    target.unconstrained = target.unconstrained || record.unconstrained;
    if (record.tuned) {
      forget_tuned_option(target);
    }
    target.repeats.push_back(repeat_of(record));
  }
  for (ComparedCell& cell : cells) {
    sort_repeats(cell.repeats);
  }
  return cells;
}

ComparedRun read_compared_run(const std::filesystem::path& directory, Damage damage) {
  const std::filesystem::path file = directory / "manifest.json";
  require_intact_run(directory, damage);
  const Json manifest = read_manifest(directory, damage);
  ComparedRun run;
  std::uint64_t seed = 0;
  try {
    seed = manifest.value("seed", seed);
    run.experiment = manifest.at("experiment").get<std::string>();
    run.overrides = manifest.at("overrides");
    run.machine = machine_of(manifest);
    run.expected = manifest.at("cells").get<std::size_t>();
    run.revision = {{"version", manifest.at("build").at("version")},
                    {"sources", sha256(json_line(manifest.at("build").at("sources")))}};
  } catch (const Json::exception&) {
    throw InputError(fmt::format("{}: not the manifest of a run of this program", file.string()));
  }
  const std::vector<Record> records = read_records(directory / "cells.jsonl", damage);
  run.cells = compared_cells(records);
  add_identities(directory, records, seed, run.cells);
  return run;
}

const std::vector<std::string>& machine_fields() {
  static const std::vector<std::string> fields = {
      "processor", "cores", "architecture", "compiler", "flags", "build_type", "threads"};
  return fields;
}

std::string machine_difference(const Json& ours, const Json& reference) {
  std::vector<std::string> differences;
  for (const std::string& field : machine_fields()) {
    if (ours.at(field) != reference.at(field)) {
      differences.push_back(fmt::format("{} {} here, {} in the reference", field,
                                        json_line(ours.at(field)), json_line(reference.at(field))));
    }
  }
  return join(differences, "; ");
}

}  // namespace spca

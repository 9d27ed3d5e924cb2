#include "harness/verdicts/run_evidence.h"

#include <fmt/format.h>

#include <algorithm>

#include "spca/base/sha256.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

RepeatEvidence repeat_of(const Record& record) {
  RepeatEvidence repeat{.repeat = record.repeat,
                        .seed = record.seed,
                        .status = record.status,
                        .message = record.message,
                        .contended = !has_comparable_timing(record),
                        .metrics = {},
                        .components = record.loadings};
  for (const auto* metrics : {&record.metrics, &record.timing}) {
    for (const auto& [name, values] : *metrics) {
      repeat.metrics[name] = total_of(name, values);
    }
  }
  return repeat;
}

CellEvidence cell_of(const Record& record) {
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

/// A penalty that the harness found is part of the answer, not of the question.
void forget_tuned_option(CellEvidence& cell) {
  const SolverEntry* solver = SolverRegistry::instance().find(cell.solver_name);
  if (solver != nullptr) {
    cell.solver_options.erase(solver->traits.tuning.option);
  }
}

/// In a folder whose run is not complete a record of older sources may stand before the newer one,
/// which counts.
void sort_repeats(std::vector<RepeatEvidence>& repeats) {
  std::reverse(repeats.begin(), repeats.end());
  std::stable_sort(
      repeats.begin(), repeats.end(),
      [](const RepeatEvidence& a, const RepeatEvidence& b) { return a.repeat < b.repeat; });
  const auto end = std::unique(
      repeats.begin(), repeats.end(),
      [](const RepeatEvidence& a, const RepeatEvidence& b) { return a.repeat == b.repeat; });
  repeats.erase(end, repeats.end());
}

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

std::string no_answer_text(const RepeatEvidence& repeat) {
  return repeat.message.empty() ? std::string(status_name(repeat.status))
                                : fmt::format("{}: {}", status_name(repeat.status), repeat.message);
}

std::string CellEvidence::identity() const {
  return fmt::format("{}\n{}\n{}\n{}\n{}", grid, dataset, solver, deflation,
                     fmt::join(cardinality, " "));
}

std::string CellEvidence::label() const {
  return fmt::format("{}{} / {}{} / k = {}", grid == dataset ? "" : grid + " / ", dataset, solver,
                     deflation.empty() ? "" : ", " + deflation, cardinality_text(cardinality));
}

const RepeatEvidence* CellEvidence::find(Index repeat) const {
  const auto position =
      std::lower_bound(repeats.begin(), repeats.end(), repeat,
                       [](const RepeatEvidence& a, Index wanted) { return a.repeat < wanted; });
  return position != repeats.end() && position->repeat == repeat ? &*position : nullptr;
}

std::size_t RunEvidence::repeats() const {
  std::size_t count = 0;
  for (const CellEvidence& cell : cells) {
    count += cell.repeats.size();
  }
  return count;
}

std::vector<CellEvidence> group_cells(const std::vector<Record>& records) {
  std::vector<CellEvidence> cells;
  std::map<std::string, std::size_t> positions;
  for (const Record& record : records) {
    CellEvidence cell = cell_of(record);
    const auto [position, is_new] = positions.emplace(cell.identity(), cells.size());
    if (is_new) {
      cells.push_back(std::move(cell));
    }
    CellEvidence& target = cells[position->second];
    target.unconstrained = target.unconstrained || record.unconstrained;
    if (record.tuned) {
      forget_tuned_option(target);
    }
    target.repeats.push_back(repeat_of(record));
  }
  for (CellEvidence& cell : cells) {
    sort_repeats(cell.repeats);
  }
  return cells;
}

RunEvidence read_evidence(const std::filesystem::path& directory) {
  const std::filesystem::path file = directory / "manifest.json";
  const Json manifest = read_json_file(file).json();
  RunEvidence evidence;
  try {
    evidence.experiment = manifest.at("experiment").get<std::string>();
    evidence.overrides = manifest.at("overrides");
    evidence.machine = machine_of(manifest);
    evidence.expected = manifest.at("cells").get<std::size_t>();
    evidence.revision = {{"version", manifest.at("build").at("version")},
                         {"sources", sha256(manifest.at("build").at("sources").dump())}};
  } catch (const Json::exception&) {
    throw InputError(fmt::format("{}: not the manifest of a run of this program", file.string()));
  }
  evidence.cells = group_cells(read_records(directory / "cells.jsonl"));
  return evidence;
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
                                        ours.at(field).dump(), reference.at(field).dump()));
    }
  }
  return join(differences, "; ");
}

EvidenceIndex::EvidenceIndex(const std::vector<CellEvidence>& cells) {
  for (const CellEvidence& cell : cells) {
    cells_.emplace(cell.identity(), &cell);
  }
}

const CellEvidence* EvidenceIndex::find(const CellEvidence& same) const {
  const auto position = cells_.find(same.identity());
  return position == cells_.end() ? nullptr : position->second;
}

}  // namespace spca

#pragma once

/// A run in the form in which it is compared: its records, grouped by cell. A *cell* here is a
/// grid, a data set, a solver, a deflation and cardinalities, with all repeats. Cells are
/// identified by these labels. The key of a record is unsuitable: it changes with the sources, and
/// comparisons are needed most when the sources change.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/records/record.h"

namespace spca {

/// The part of one record that is compared.
struct ComparedRepeat {
  Index repeat = 0;        // from 0
  std::uint64_t seed = 0;  // if equal in two runs, the draws are equal
  Status status = Status::kFailed;
  std::string message;
  bool contended = false;  // solved beside other cells or on another machine: times are ignored
  /// True if the record comes from the cache, so an earlier run measured its times. Not kept
  /// in baselines.
  bool reused = false;
  /// One number for each metric, times included. A metric with one number for each component is
  /// represented by its total (total_of in metrics.h). NaN: not measured.
  std::map<std::string, double> metrics;
  /// The numbers of the metrics with one number for each component. Not kept in baselines.
  std::map<std::string, std::vector<double>> by_component = {};
  std::vector<Component> components;  // r components; empty without an answer
  /// The numbers that the solver counted (Record::facts). Not kept in baselines.
  std::map<std::string, std::vector<double>> facts = {};

  bool has_answer() const { return is_usable(status) && !components.empty(); }
  /// Returns NaN if there is no such metric.
  double value(const std::string& metric) const;
};

/// Returns the reason why a repeat has no answer: "failed: out of memory".
std::string no_answer_text(const ComparedRepeat& repeat);

struct ComparedCell {
  std::string grid, dataset, solver, deflation;  // deflation is "" if there is none
  std::vector<Index> cardinality;                // r numbers
  std::string dataset_name, solver_name;         // registered names
  Json dataset_options, solver_options;          // complete, but without a tuned penalty
  bool unconstrained = false;                    // the cardinality did not bind
  std::vector<ComparedRepeat> repeats;           // ascending
  /// SHA-256 over the data set's files. "" if it reads none, or if it is unknown.
  std::string data_checksum = {};
  /// The facts from which the answers were computed (variant_identity), and the experiment's seed.
  /// Null if they are unknown. Not kept in baselines.
  Json identity_json = nullptr;
  std::uint64_t experiment_seed = 0;

  VariantLabels labels() const { return {grid, dataset, solver, deflation, cardinality}; }
  /// Returns a text that is equal for the same cell in two runs.
  std::string identity() const { return identity_text(labels()); }
  /// Returns "pitprops / tpower, projection / k = 7,2,1". The grid comes first unless it has the
  /// name of the data set.
  std::string label() const;
  /// Returns null if the cell has no such repeat.
  const ComparedRepeat* find(Index repeat) const;
  /// Returns the metrics of all repeats.
  std::set<std::string> metric_names() const;
};

struct ComparedRun {
  std::string experiment;
  Json overrides;  // of the command line, as in the manifest, with the profile
  /// The facts that must agree for times to be compared: processor, cores, architecture, compiler,
  /// flags, build_type, threads of a solve.
  Json machine;
  Json revision;                    // {"version", "sources": SHA-256 over all sources}
  std::size_t expected = 0;         // number of records of the finished run, from its manifest
  std::vector<ComparedCell> cells;  // in the order of the run

  /// Returns the number of repeats of all cells together.
  std::size_t repeats() const;
};

/// Reads cells.jsonl and manifest.json of a run's folder. Throws InputError, also as
/// require_intact_run does.
ComparedRun read_compared_run(const std::filesystem::path& directory,
                              Damage damage = Damage::kRefused);
/// Groups records by cell, in the order of each cell's first record.
std::vector<ComparedCell> compared_cells(const std::vector<Record>& records);

/// Returns the members of ComparedRun::machine in their order.
const std::vector<std::string>& machine_fields();
/// Returns "" if times of both machines can be compared, otherwise the difference with both values.
std::string machine_difference(const Json& ours, const Json& reference);

}  // namespace spca

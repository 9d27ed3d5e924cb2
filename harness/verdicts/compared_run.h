#pragma once

/// A run in the form in which it is compared: its records, grouped by cell. A *cell* here is what
/// the experiment asks of one solver: a grid, a data set, a solver, a deflation and cardinalities,
/// with all repeats. Cells are told apart by these labels. The key of a record would not do: it
/// changes with the sources, and a comparison is wanted most when they change.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/records/record.h"

namespace spca {

/// One record, reduced to what is compared.
struct ComparedRepeat {
  Index repeat = 0;        // from 0
  std::uint64_t seed = 0;  // equal in two runs: the same draws
  Status status = Status::kFailed;
  std::string message;
  bool contended = false;  // beside other cells, or on another machine: its times do not count
  /// Taken from the cache: an earlier run measured its times. Not kept in baselines.
  bool reused = false;
  /// One number for each metric, times included. A metric of several numbers, one a component,
  /// counts as its total (total_of in metrics.h). NaN: not measured.
  std::map<std::string, double> metrics;
  /// The several numbers of such a metric. Not kept in baselines.
  std::map<std::string, std::vector<double>> by_component = {};
  std::vector<Component> components;  // r; empty without an answer
  /// What the solver counted (Record::facts). Not kept in baselines.
  std::map<std::string, std::vector<double>> facts = {};

  bool has_answer() const { return is_usable(status) && !components.empty(); }
  /// NaN if there is no such metric.
  double value(const std::string& metric) const;
};

/// "failed: out of memory": why a repeat has no answer.
std::string no_answer_text(const ComparedRepeat& repeat);

struct ComparedCell {
  std::string grid, dataset, solver, deflation;  // labels; deflation "" if there is none
  std::vector<Index> cardinality;                // r numbers
  std::string dataset_name, solver_name;         // as registered
  Json dataset_options, solver_options;          // complete, but without a penalty that was tuned
  bool unconstrained = false;                    // the cardinality did not bind
  std::vector<ComparedRepeat> repeats;           // ascending

  VariantLabels labels() const { return {grid, dataset, solver, deflation, cardinality}; }
  /// Equal for the same cell in two runs.
  std::string identity() const { return identity_text(labels()); }
  /// "pitprops / tpower, projection / k = 7,2,1". The grid stands in front unless it has the name
  /// of the data set.
  std::string label() const;
  /// Null if the cell has no such repeat.
  const ComparedRepeat* find(Index repeat) const;
  /// The metrics of any repeat.
  std::set<std::string> metric_names() const;
};

struct ComparedRun {
  std::string experiment;
  Json overrides;  // of the command line, as in the manifest, with the profile
  /// What decides whether times can be compared: processor, cores, architecture, compiler, flags,
  /// build_type, threads of a solve.
  Json machine;
  Json revision;                    // {"version", "sources": SHA-256 over all sources}
  std::size_t expected = 0;         // records of the finished run, by its manifest
  std::vector<ComparedCell> cells;  // in the order of the run

  /// Over all cells.
  std::size_t repeats() const;
};

/// Reads cells.jsonl and manifest.json of a run's folder. Throws InputError, and as
/// require_intact_run does.
ComparedRun read_compared_run(const std::filesystem::path& directory,
                              Damage damage = Damage::kRefused);
/// Groups records by cell, in the order of each cell's first record.
std::vector<ComparedCell> compared_cells(const std::vector<Record>& records);

/// The members of ComparedRun::machine, in their order.
const std::vector<std::string>& machine_fields();
/// "" if times of both machines can be compared, else what differs, with both values.
std::string machine_difference(const Json& ours, const Json& reference);

}  // namespace spca

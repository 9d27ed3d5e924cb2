#pragma once

/// What a run says, in the form in which two runs are compared: its records by cell, a cell being
/// told by what the experiment calls it. The key of a record would not do: it changes with the
/// sources, and a comparison is wanted most when they change.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/records/record.h"

namespace spca {

struct RepeatEvidence {
  Index repeat = 0;
  std::uint64_t seed = 0;  // the same in two runs: the same draws
  Status status = Status::kFailed;
  std::string message;
  bool contended = false;  // beside other cells, or on another machine: its times do not count
  /// One number each, times included: of one number a component the total (MetricTraits). NaN: not
  /// measured.
  std::map<std::string, double> metrics;
  std::vector<Component> components;

  bool has_answer() const { return is_usable(status) && !components.empty(); }
};

/// "failed: out of memory": of a repeat without an answer.
std::string no_answer_text(const RepeatEvidence& repeat);

struct CellEvidence {
  std::string grid, dataset, solver, deflation;  // labels; deflation "" where none
  std::vector<Index> cardinality;                // r numbers
  std::string dataset_name, solver_name;         // as registered
  Json dataset_options, solver_options;          // complete, without a penalty that was tuned
  bool unconstrained = false;                    // the cardinality did not bind
  std::vector<RepeatEvidence> repeats;           // ascending

  VariantLabels labels() const { return {grid, dataset, solver, deflation, cardinality}; }
  /// Equal for the same cell in two runs.
  std::string identity() const { return identity_text(labels()); }
  /// "pitprops / tpower, projection / k = 7,2,1"; the grid in front where it is not the data set.
  std::string label() const;
  const RepeatEvidence* find(Index repeat) const;
};

struct RunEvidence {
  std::string experiment;
  Json overrides;  // of the command line, as in the manifest, with the profile
  /// What decides whether times can be compared: processor, cores, architecture, compiler, flags,
  /// build_type, threads of a solve.
  Json machine;
  Json revision;                    // {"version", "sources": SHA-256 over all sources}
  std::size_t expected = 0;         // records of the finished run, by its manifest
  std::vector<CellEvidence> cells;  // in the order of the run

  /// Over all cells.
  std::size_t repeats() const;
};

/// cells.jsonl and manifest.json of a run's folder. Throws InputError.
RunEvidence read_evidence(const std::filesystem::path& directory);
std::vector<CellEvidence> group_cells(const std::vector<Record>& records);

/// The members of RunEvidence::machine, in their order.
const std::vector<std::string>& machine_fields();
/// "" where times of both can be compared, else what differs, with both values.
std::string machine_difference(const Json& ours, const Json& reference);

/// Cells by identity.
class EvidenceIndex {
 public:
  explicit EvidenceIndex(const std::vector<CellEvidence>& cells);
  /// Null where there is none.
  const CellEvidence* find(const CellEvidence& same) const;

 private:
  std::map<std::string, const CellEvidence*> cells_;
};

}  // namespace spca

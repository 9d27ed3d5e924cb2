#pragma once

/// Collects the earlier results of cells, in one run's folder and in the cache.

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/runs/cell_cache.h"

namespace spca {

/// An earlier result of a cell: the one that was added last, if there are several.
struct EarlierCell {
  Status status = Status::kFailed;
  bool in_run = false;     // true: in the run's folder; false: in the cache
  bool forgotten = false;  // true if --force has forgotten it
  bool other_build = false;
  bool damaged = false;  // true if its line in the run's folder or its row in the cache is damaged
  std::string message;   // the message of a failed or skipped cell
};

class RunHistory {
 public:
  /// `context` must outlive this object.
  explicit RunHistory(const RunContext& context);
  /// Adds cells.jsonl and identities.jsonl of a run's directory, if these files exist.
  void add_run(const std::filesystem::path& directory);
  /// Adds the rows of the cache. `build` is the member "build" of this program's timing_origin.
  void add_cache(CellCache& cache, const Json& build);

  /// Returns the earlier result of the cell with this key, or null if there is none.
  const EarlierCell* find(const std::string& key) const;

  /// Returns the reason why a cell without a record must be solved, in words: its earlier result,
  /// or the parts of its identity that have changed since the earlier cell that differs in the
  /// fewest parts.
  std::string why_missing(std::size_t cell);
  /// Returns PlannedCell::predicted_seconds of a variant.
  double predict_seconds(std::size_t variant);

 private:
  struct Candidate {
    std::string digest;
    std::vector<std::string> changes;
  };
  void add_seconds(const std::string& identity, double seconds);
  void add_identity(const std::string& digest, Json identity);
  const std::vector<Candidate>& candidates(std::size_t variant);
  void gather_seconds();

  const RunContext& context_;
  std::set<std::string> current_;                       // digests of the context
  std::unordered_map<std::string, EarlierCell> cells_;  // by key
  std::map<std::string, Json> identities_;              // by digest
  /// By digest; gather_seconds() moves the values to seconds_.
  std::unordered_map<std::string, std::vector<double>> seconds_of_identity_;
  std::map<std::string, std::vector<double>> seconds_;
  std::map<std::string, std::vector<std::string>> digests_of_place_;
  std::map<std::size_t, std::vector<Candidate>> candidates_;  // by variant
  std::map<std::size_t, double> predicted_;                   // by variant
};

}  // namespace spca

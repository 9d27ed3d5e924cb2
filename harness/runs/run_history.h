#pragma once

/// All that earlier runs left about cells: in one run's folder and in the cache.

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/runs/cell_cache.h"

namespace spca {

/// The median of one number or more.
double median_of(std::vector<double> values);

/// The last thing that happened to a cell.
struct EarlierCell {
  Status status = Status::kFailed;
  bool in_run = false;     // in the run's folder; otherwise in the cache
  bool forgotten = false;  // by --force
  bool other_build = false;
  bool damaged = false;  // its line in the run's folder or its row in the cache is
  std::string message;   // where it failed or was skipped
};

class RunHistory {
 public:
  /// `context` must outlive this.
  explicit RunHistory(const RunContext& context);
  /// cells.jsonl and identities.jsonl of a run's directory; nothing where they are not there.
  void add_run(const std::filesystem::path& directory);
  /// `build`: of this program, as in timing_origin.
  void add_cache(CellCache& cache, const Json& build);

  /// Null where nothing is known.
  const EarlierCell* find(const std::string& key) const;

  /// Why a cell that has no record is to be solved, in words: what became of it, or what has
  /// changed since the earlier cell that differs from it in the fewest parts of its identity.
  std::string why_missing(std::size_t cell);
  /// As PlannedCell::predicted_seconds.
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
  /// By digest; gather_seconds() moves them to what they are of.
  std::unordered_map<std::string, std::vector<double>> seconds_of_identity_;
  std::map<std::string, std::vector<double>> seconds_;
  std::map<std::string, std::vector<std::string>> digests_of_place_;
  std::map<std::size_t, std::vector<Candidate>> candidates_;  // by variant
  std::map<std::size_t, double> predicted_;                   // by variant
};

}  // namespace spca

#pragma once

/// The cache that all runs share, as a run uses it. A cell is found by its key, in whatever
/// experiment, profile or folder it was solved.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/runs/cache_file.h"
#include "harness/runs/runner_cell.h"

namespace spca {

/// What SPCA_CACHE_DIR names (empty there: no cache), otherwise results/cache.
std::filesystem::path cache_directory();

/// Who measures: {"machine", "build" (compiler, flags, build type), "threads"}. Times of one origin
/// may be compared.
Json timing_origin(int threads);
/// The first 16 hexadecimal digits of the SHA-256 of a timing_origin. Other fields of `origin` do
/// not count.
std::string origin_digest(const Json& origin);

/// The cache of one run. Opens the file at the first use. No function throws: if something goes
/// wrong with the file, one warning is printed on stderr, and from then on the cache is empty and
/// takes nothing. A forked child must not touch it, nor run its destructor.
class CellCache {
 public:
  /// No cache if `directory` is empty. `origin`: timing_origin and whatever else is to be known of
  /// the answers that this run adds. kExisting: this run adds none.
  CellCache(std::filesystem::path directory, SqlAccess access, Json origin = Json::object());
  /// Commits.
  ~CellCache();
  CellCache(const CellCache&) = delete;
  CellCache& operator=(const CellCache&) = delete;

  /// As in CacheFile.
  std::optional<CacheRow> find(const std::string& key);
  void for_each(const std::function<void(const CacheRow&)>& visit);
  std::map<std::string, Json> identities();
  const Json& origin(const std::string& digest);  // valid until the next call

  /// Until commit(), all reading sees one state of the cache, and costs less.
  void begin_reading();
  /// What is added and forgotten counts from the next commit() on. Call that soon: until then no
  /// other process can write.
  void add(const CachedAnswer& answer, const std::string& identity_digest, const Json& identity);
  void forget(const std::string& key);
  /// The answer with this key was measured anew: the cache's gets the metrics of `line`, if it is of
  /// the same solve. Who solved it stays as it was.
  void add_metrics(const std::string& key, const std::string& line);
  void commit();

 private:
  template <class Use>
  void guard(Use use);

  std::filesystem::path directory_;
  SqlAccess access_;
  Json origin_;
  std::string origin_digest_;  // of all its fields
  std::unique_ptr<CacheFile> file_;
};

/// Calls `visit` for each cell in `wanted` that the cache answers, with the cached text and its
/// origin. An answer counts if a build as this one gave it, if it is final, and if it did not end
/// at the time limit: on this machine, now, it might not.
using VisitHit = std::function<void(std::size_t cell, const std::string& text, const Json& origin)>;
void for_each_hit(CellCache& cache, const RunContext& context,
                  const std::vector<std::size_t>& wanted, const Json& build, const VisitHit& visit);

}  // namespace spca

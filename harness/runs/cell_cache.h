#pragma once

/// The cache that all runs share, as one run uses it. A cell is found by its key, regardless of the
/// experiment, profile or folder in which it was solved.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/cells/runner_cell.h"
#include "harness/runs/cache_file.h"

namespace spca {

/// Returns the path in SPCA_CACHE_DIR (empty: no cache), or results/cache if the variable is not
/// set.
std::filesystem::path cache_directory();

/// Returns the origin of measurements: {"machine", "build" (compiler, flags, build type),
/// "threads"}. Times of one origin may be compared.
Json timing_origin(int threads);
/// Returns the first 16 hexadecimal digits of the SHA-256 of a timing_origin. Ignores other fields
/// of `origin`.
std::string origin_digest(const Json& origin);

/// The cache of one run. Opens the file at the first use. No function throws: at the first error of
/// the file, one warning is printed on stderr, and from then on the cache is empty and stores
/// nothing. A forked child must not touch it, nor run its destructor.
class CellCache {
 public:
  /// Opens no cache if `directory` is empty. `origin` is timing_origin with further facts about the
  /// answers that this run adds. kExisting: this run adds none.
  CellCache(std::filesystem::path directory, SqlAccess access, Json origin = Json::object());
  /// Commits.
  ~CellCache();
  CellCache(const CellCache&) = delete;
  CellCache& operator=(const CellCache&) = delete;

  /// Like CacheFile::find.
  std::optional<CacheRow> find(const std::string& key);
  void for_each(const std::function<void(const CacheRow&)>& visit);
  std::map<std::string, Json> identities();
  const Json& origin(const std::string& digest);  // valid until the next call

  /// Like CacheFile::begin_reading: until commit(), all reading sees one state of the cache and is
  /// faster.
  void begin_reading();
  /// Adds an answer. Additions take effect at the next commit(), which should come soon: until then
  /// no other process can write.
  void add(const CachedAnswer& answer, const std::string& identity_digest, const Json& identity);
  void forget(const std::string& key);
  /// Adds the metrics of `line` to the cached answer with this key after it was measured again, if
  /// both are from the same solve. The origin of the answer stays.
  void add_metrics(const std::string& key, const std::string& line);
  void commit();

 private:
  template <class Use>
  void guard(Use use);
  /// Reads the file without locks from now on if its folder cannot be written.
  void read_without_writing();

  std::filesystem::path directory_;
  SqlAccess access_;
  bool is_read_only_ = false;  // nothing is added or forgotten
  Json origin_;
  std::string origin_digest_;  // over all fields of the origin
  std::unique_ptr<CacheFile> file_;
};

/// Calls `visit` for each cell in `wanted` that the cache answers, with the cached text and its
/// origin. An answer is used if a build like this one gave it, if it is final, and if it did not
/// end at the time limit, which it might not reach on this machine.
using VisitHit = std::function<void(std::size_t cell, const std::string& text, const Json& origin)>;
void for_each_hit(CellCache& cache, const RunContext& context,
                  const std::vector<std::size_t>& wanted, const Json& build, const VisitHit& visit);

}  // namespace spca

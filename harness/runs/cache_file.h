#pragma once

/// Reads and writes cells.sqlite, the file of the cache of cells. docs/RUNS_AND_CACHE.md describes
/// its tables.
///
/// Every row has a checksum over its content. find() never returns a row whose checksum differs,
/// and for_each() marks it as kDamaged. Only the process that made a CacheFile may use or destroy
/// it: a forked child must not touch it.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/runs/sqlite.h"
#include "spca/solving/solver.h"

namespace spca {

/// The data that the cache stores for a finished cell.
struct CachedAnswer {
  std::string key = {};                   // key of the cell
  std::string solver = {}, dataset = {};  // registered names
  Status status = Status::kFailed;
  double solve_seconds = kNotMeasured;
  std::string text = {};  // the line of the answer for runs; the cache never parses it
};

enum class CacheRowKind {
  kAnswer,
  kForgotten,  // --force: the row holds only the key, until the cell is solved again
  kDamaged     // the checksum differs: the row is ignored
};

struct CacheRow {
  CacheRowKind kind = CacheRowKind::kAnswer;
  std::int64_t number = 0;  // rows are numbered in the order of writing
  CachedAnswer answer;
  std::string identity;  // digest of everything that the answer depends on
  std::string origin;    // digest of the origin that wrote it
};

/// The file of the cache. All functions throw InputError, one line that names the file and the
/// reason.
class CacheFile {
 public:
  /// Opens DIRECTORY/cells.sqlite. kExisting creates nothing: a missing cache is empty. Refuses the
  /// file of a newer version without changing it.
  CacheFile(const std::filesystem::path& directory, SqlAccess access);

  /// Returns the answer with this key, or nothing if there is none, or if it is forgotten or
  /// damaged.
  std::optional<CacheRow> find(const std::string& key);
  /// Visits all rows in the order of writing.
  void for_each(const std::function<void(const CacheRow&)>& visit);
  /// Returns digest -> identity, without damaged identities.
  std::map<std::string, Json> identities() const;
  /// Returns the origin with this digest; null if it is damaged or missing.
  const Json& origin(const std::string& digest);
  /// Returns the size of the file and its write-ahead log.
  std::uint64_t bytes() const;

  /// Begins a reading transaction: until commit(), all reading sees one state of the cache and is
  /// faster.
  void begin_reading();
  /// Begins a writing transaction: the changes up to commit() are made all or not at all. Waits for
  /// another process that is writing.
  void begin();
  void commit();
  bool in_transaction() const { return database_->in_transaction(); }
  /// Adds an answer, which replaces an older one with the same key.
  void add(const CachedAnswer& answer, const std::string& identity_digest, const Json& identity,
           const std::string& origin_digest, const Json& origin);
  /// Writes a row of find() with a changed answer; identity and origin stay.
  void replace(const CacheRow& row);
  /// Marks the answer with this key as forgotten.
  void forget(const std::string& key);
  void remove(const std::vector<std::int64_t>& numbers);
  /// Removes the identities and origins that no row refers to.
  void remove_unused();
  /// Returns the space of removed rows to the system, unless another process reads the file. Called
  /// after commit().
  void shorten();

 private:
  void add_json(const char* table, const std::string& digest, const Json& json);
  void write(const CachedAnswer& answer, const std::string& identity, const std::string& origin,
             bool is_forgotten);

  std::unique_ptr<SqlDatabase> database_;
  std::optional<SqlStatement> find_, write_, data_version_;  // prepared at first use
  std::map<std::string, Json> origins_;                      // cached
  /// Digests of identities and origins that the file is known to hold. Valid until another process
  /// changes the file, which data_version_ shows.
  std::set<std::string> known_;
  std::int64_t known_version_ = -1;
};

/// Prints a line on stderr if the folder holds segments of the cache's old format, which are not
/// read. The line says how to delete them.
void warn_of_old_cache(const std::filesystem::path& directory);

}  // namespace spca

#pragma once

/// The file of the cache of cells, cells.sqlite. docs/RUNS_AND_CACHE.md has its tables.
///
/// Every row carries a checksum over all of its columns. A row whose checksum differs is never
/// handed out. Only the process that made a CacheFile may use or destroy it: a forked child must
/// not touch it.

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

/// What the cache keeps of a finished cell.
struct CachedAnswer {
  std::string key = {};                   // of the cell
  std::string solver = {}, dataset = {};  // registered names
  Status status = Status::kFailed;
  double solve_seconds = kNotMeasured;
  std::string text = {};  // what a run gets that asks for the key; the cache never reads it
};

enum class CacheRowKind {
  kAnswer,
  kForgotten,  // --force: only the key counts, no answer is known until the cell is solved again
  kDamaged     // the checksum differs: nothing in the row counts
};

struct CacheRow {
  CacheRowKind kind = CacheRowKind::kAnswer;
  std::int64_t number = 0;  // rows are numbered in the order in which they were written
  CachedAnswer answer;
  std::string identity;  // digest of what the answer was computed from
  std::string origin;    // digest of who wrote it
};

/// All functions throw InputError, one line that names the file and the reason.
class CacheFile {
 public:
  /// Opens DIRECTORY/cells.sqlite. kExisting makes nothing: a cache that is not there is empty.
  /// Refuses the file of a newer version without changing it.
  CacheFile(const std::filesystem::path& directory, SqlAccess access);

  /// The answer with this key. Nothing if there is none, or if it is forgotten or damaged.
  std::optional<CacheRow> find(const std::string& key);
  /// All rows in the order in which they were written.
  void for_each(const std::function<void(const CacheRow&)>& visit);
  /// Digest -> identity. Damaged ones are left out.
  std::map<std::string, Json> identities() const;
  /// Null if it is damaged or missing.
  const Json& origin(const std::string& digest);
  /// Of the file and its log of changes.
  std::uint64_t bytes() const;

  /// Until commit(), all reading sees one state of the cache, and costs less.
  void begin_reading();
  /// Changes are made between begin() and commit(), all of them or none. begin() waits for another
  /// process that is writing.
  void begin();
  void commit();
  bool in_transaction() const { return database_->in_transaction(); }
  /// An answer replaces an older one with the same key.
  void add(const CachedAnswer& answer, const std::string& identity_digest, const Json& identity,
           const std::string& origin_digest, const Json& origin);
  /// What find() gave, with another answer: its identity and its origin stay.
  void replace(const CacheRow& row);
  /// The answer that the cache has for this key does not count any more.
  void forget(const std::string& key);
  void remove(const std::vector<std::int64_t>& numbers);
  /// Removes identities and origins that no row names.
  void remove_unused();
  /// After commit(): gives the space of what was removed back, as far as nobody reads the file.
  void shorten();

 private:
  void add_json(const char* table, const std::string& digest, const Json& json);
  void write(const CachedAnswer& answer, const std::string& identity, const std::string& origin,
             bool is_forgotten);

  std::unique_ptr<SqlDatabase> database_;
  std::optional<SqlStatement> find_, write_, data_version_;  // prepared at their first use
  std::map<std::string, Json> origins_;                      // read so far
  /// Digests of identities and origins that are in the file, as long as no other process changes
  /// it, of which data_version_ tells.
  std::set<std::string> known_;
  std::int64_t known_version_ = -1;
};

/// Says in one line on stderr that the folder holds segments of the cache's old form, which are not
/// read, and how to delete them. Says nothing if there are none.
void warn_of_old_cache(const std::filesystem::path& directory);

}  // namespace spca

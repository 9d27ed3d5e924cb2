#include "harness/runs/cache_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/base/standard_error.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// The version of the tables below, to be increased with every change of them.
constexpr std::int64_t kCacheFormat = 1;

/// The statements that make the tables. Keys are found by their hashes: an index with 64 digits for
/// each key would be most of the written data. If two keys have one hash, the later replaces the
/// earlier, whose cell is then solved again. A NULL text means a forgotten cell.
constexpr const char* kMakeTables = R"(
  CREATE TABLE answers (
    number INTEGER PRIMARY KEY,
    key_hash INTEGER NOT NULL UNIQUE,
    key TEXT NOT NULL,
    identity TEXT NOT NULL,
    origin TEXT NOT NULL,
    solver TEXT NOT NULL,
    dataset TEXT NOT NULL,
    status TEXT NOT NULL,
    solve_seconds REAL,
    checksum INTEGER NOT NULL,
    text TEXT);
  CREATE TABLE identities (
    digest TEXT PRIMARY KEY, json TEXT NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE origins (
    digest TEXT PRIMARY KEY, json TEXT NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;
  PRAGMA user_version = 1)";

/// The columns that read_row expects, in its order.
constexpr const char* kColumns =
    "number, key_hash, key, identity, origin, solver, dataset, status, solve_seconds, checksum, "
    "text";

/// Returns the CRC-32 of the parts and of their lengths.
std::int64_t checksum_of(std::initializer_list<std::string_view> parts) {
  uLong checksum = 0;
  for (const std::string_view part : parts) {
    const std::uint64_t size = part.size();
    checksum = crc32_z(checksum, reinterpret_cast<const Bytef*>(&size), sizeof size);
    checksum = crc32_z(checksum, reinterpret_cast<const Bytef*>(part.data()), part.size());
  }
  return static_cast<std::int64_t>(checksum);
}

/// Computes FNV-1a.
std::int64_t hash_of(std::string_view key) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char digit : key) {
    hash = (hash ^ static_cast<unsigned char>(digit)) * 0x100000001b3;
  }
  return static_cast<std::int64_t>(hash);
}

std::int64_t checksum_of(const CachedAnswer& answer, std::string_view identity,
                         std::string_view origin, bool is_forgotten) {
  // SQLite returns minus zero as zero, and NaN as NULL.
  const double seconds = std::isnan(answer.solve_seconds) ? -1 : answer.solve_seconds + 0.0;
  char bytes[sizeof seconds];
  std::memcpy(bytes, &seconds, sizeof bytes);
  return checksum_of({answer.key, identity, origin, answer.solver, answer.dataset,
                      status_name(answer.status), std::string_view(bytes, sizeof bytes),
                      is_forgotten ? "forgotten" : "answer", answer.text});
}

CacheRow read_row(const SqlStatement& row) {
  enum {
    kNumber,
    kHash,
    kKey,
    kIdentity,
    kOrigin,
    kSolver,
    kDataset,
    kStatus,
    kSeconds,
    kSum,
    kText
  };
  CacheRow read{
      .kind = row.is_null(kText) ? CacheRowKind::kForgotten : CacheRowKind::kAnswer,
      .number = row.integer(kNumber),
      .answer = {.key = std::string(row.text(kKey)),
                 .solver = std::string(row.text(kSolver)),
                 .dataset = std::string(row.text(kDataset)),
                 .solve_seconds = row.is_null(kSeconds) ? kNotMeasured : row.number(kSeconds),
                 .text = std::string(row.text(kText))},
      .identity = std::string(row.text(kIdentity)),
      .origin = std::string(row.text(kOrigin))};
  try {
    read.answer.status = status_from_name(std::string(row.text(kStatus)));
  } catch (const InputError&) {
    read.kind = CacheRowKind::kDamaged;
  }
  if (hash_of(read.answer.key) != row.integer(kHash) ||
      checksum_of(read.answer, read.identity, read.origin, read.kind == CacheRowKind::kForgotten) !=
          row.integer(kSum)) {
    read.kind = CacheRowKind::kDamaged;
  }
  return read;
}

/// Returns the object in a row of digest, JSON and checksum, or null if it is damaged.
Json read_json(const SqlStatement& row) {
  if (checksum_of({row.text(0), row.text(1)}) != row.integer(2)) {
    return {};
  }
  const Json json = parse_json(row.text(1));
  return json.is_object() ? json : Json();
}

fs::path file_in(const fs::path& directory) { return directory / "cells.sqlite"; }

std::unique_ptr<SqlDatabase> make_empty() {
  auto database = std::make_unique<SqlDatabase>();
  database->execute(kMakeTables);
  return database;
}

/// Creates the tables of a new file, and refuses a file of another kind.
std::unique_ptr<SqlDatabase> with_tables(std::unique_ptr<SqlDatabase> database, SqlAccess access) {
  const std::int64_t format = database->integer("PRAGMA user_version");
  const std::int64_t tables = database->integer("SELECT count(*) FROM sqlite_schema");
  const std::string file = database->file().string();
  if (format > kCacheFormat) {
    throw InputError(
        fmt::format("{}: has format {}, of a newer version of this program; accepted: formats up "
                    "to {}, or another folder in SPCA_CACHE_DIR",
                    file, format, kCacheFormat));
  }
  if (format == 0 && tables == 0) {
    if (access != SqlAccess::kMade) {
      return make_empty();
    }
    // auto_vacuum can be set only before the first table. It lets remove_unused() shrink the file.
    database->execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL");
    database->execute(fmt::format("BEGIN IMMEDIATE; {}; COMMIT", kMakeTables).c_str());
  } else if (format != kCacheFormat) {
    throw InputError(
        fmt::format("{}: is not a cache of cells; accepted: a file that `spca run` made, "
                    "or another folder in SPCA_CACHE_DIR",
                    file));
  }
  // A commit reaches the operating system, which keeps it if this process is killed. Only a power
  // cut may lose the last commits; earlier ones stay whole. Each time the log has 4000 pages
  // (16 MB), it is written back into the file, and this process waits for the disk.
  database->execute(
      "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000; PRAGMA temp_store = MEMORY");
  return database;
}

std::unique_ptr<SqlDatabase> open_cache(const fs::path& directory, SqlAccess access) {
  const fs::path file = file_in(directory);
  std::error_code error;
  if (access == SqlAccess::kMade) {
    make_directory(directory);
  } else if (!fs::exists(file, error)) {
    return make_empty();
  }
  // One process at a time: if two processes switch a new file to WAL, SQLite refuses one of them.
  const FileDescriptor folder = open_or_throw(directory, O_RDONLY | O_DIRECTORY);
  ::flock(folder.get(), LOCK_EX);
  try {
    return with_tables(std::make_unique<SqlDatabase>(file, access), access);
  } catch (const InputError&) {
    // The log of changes cannot be created in a read-only folder.
    if (access == SqlAccess::kMade || ::access(directory.c_str(), W_OK) == 0) {
      throw;
    }
  }
  return with_tables(std::make_unique<SqlDatabase>(file, SqlAccess::kImmutable), access);
}

}  // namespace

CacheFile::CacheFile(const fs::path& directory, SqlAccess access)
    : database_(open_cache(directory, access)) {}

std::optional<CacheRow> CacheFile::find(const std::string& key) {
  if (!find_) {
    find_.emplace(*database_, fmt::format("SELECT {} FROM answers WHERE key_hash = ?1", kColumns));
  }
  if (!find_->with(hash_of(key)).step()) {
    return std::nullopt;
  }
  CacheRow row = read_row(*find_);
  find_->reset();
  // Two keys may have one hash, and a damaged index may lead to another row.
  if (row.kind != CacheRowKind::kAnswer || row.answer.key != key) {
    return std::nullopt;
  }
  return row;
}

void CacheFile::for_each(const std::function<void(const CacheRow&)>& visit) {
  SqlStatement rows(*database_, fmt::format("SELECT {} FROM answers ORDER BY number", kColumns));
  while (rows.step()) {
    visit(read_row(rows));
  }
}

std::map<std::string, Json> CacheFile::identities() const {
  std::map<std::string, Json> identities;
  SqlStatement rows(*database_, "SELECT digest, json, checksum FROM identities");
  while (rows.step()) {
    if (Json identity = read_json(rows); identity.is_object()) {
      identities.emplace(rows.text(0), std::move(identity));
    }
  }
  return identities;
}

const Json& CacheFile::origin(const std::string& digest) {
  const auto [known, is_new] = origins_.try_emplace(digest);
  if (is_new) {
    SqlStatement row(*database_, "SELECT digest, json, checksum FROM origins WHERE digest = ?1");
    if (row.with(digest).step()) {
      known->second = read_json(row);
    }
  }
  return known->second;
}

std::uint64_t CacheFile::bytes() const {
  std::uint64_t bytes = 0;
  for (const char* ending : {"", "-wal"}) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(database_->file().string() + ending, error);
    bytes += error ? 0 : size;
  }
  return bytes;
}

void CacheFile::begin_reading() { database_->execute("BEGIN"); }

void CacheFile::begin() {
  database_->execute("BEGIN IMMEDIATE");
  if (!data_version_) {
    data_version_.emplace(*database_, "PRAGMA data_version");
  }
  // Another process may have removed identities and origins that no answer referred to.
  data_version_->step();
  const std::int64_t version = data_version_->integer(0);
  data_version_->reset();
  if (version != std::exchange(known_version_, version)) {
    known_.clear();
  }
}

void CacheFile::commit() { database_->execute("COMMIT"); }

void CacheFile::add_json(const char* table, const std::string& digest, const Json& json) {
  if (known_.insert(digest).second) {
    const std::string text = json_line(json);
    SqlStatement(*database_, fmt::format("INSERT OR REPLACE INTO {} VALUES (?1, ?2, ?3)", table))
        .with(digest, text, checksum_of({digest, text}))
        .run();
  }
}

void CacheFile::write(const CachedAnswer& answer, const std::string& identity,
                      const std::string& origin, bool is_forgotten) {
  if (!write_) {
    write_.emplace(*database_,
                   fmt::format("INSERT OR REPLACE INTO answers ({}) VALUES (NULL, ?1, ?2, "
                               "?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                               kColumns));
  }
  const std::int64_t checksum = checksum_of(answer, identity, origin, is_forgotten);
  const char* status = status_name(answer.status);
  if (is_forgotten) {
    write_->with(hash_of(answer.key), answer.key, identity, origin, answer.solver, answer.dataset,
                 status, answer.solve_seconds, checksum, nullptr);
  } else {
    write_->with(hash_of(answer.key), answer.key, identity, origin, answer.solver, answer.dataset,
                 status, answer.solve_seconds, checksum, answer.text);
  }
  write_->run();
}

void CacheFile::add(const CachedAnswer& answer, const std::string& identity_digest,
                    const Json& identity, const std::string& origin_digest, const Json& origin) {
  add_json("identities", identity_digest, identity);
  add_json("origins", origin_digest, origin);
  write(answer, identity_digest, origin_digest, false);
}

void CacheFile::replace(const CacheRow& row) { write(row.answer, row.identity, row.origin, false); }

void CacheFile::forget(const std::string& key) { write({.key = key}, "", "", true); }

void CacheFile::remove(const std::vector<std::int64_t>& numbers) {
  // The index may have a damaged row under another key, and then would not find the row to be
  // removed.
  database_->execute("REINDEX answers");
  SqlStatement remove(*database_, "DELETE FROM answers WHERE number = ?1");
  for (const std::int64_t number : numbers) {
    remove.with(number).run();
  }
}

void CacheFile::remove_unused() {
  database_->execute(
      "DELETE FROM identities WHERE digest NOT IN (SELECT identity FROM answers);"
      "DELETE FROM origins WHERE digest NOT IN (SELECT origin FROM answers);"
      "PRAGMA incremental_vacuum");
}

void CacheFile::shorten() { database_->execute("PRAGMA wal_checkpoint(TRUNCATE)"); }

void warn_of_old_cache(const fs::path& directory) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    // Files of the old format: 20260131T120000.123456-4711.jsonl
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".jsonl") && name.size() > 24 && name[8] == 'T' && name[15] == '.') {
      say("spca: {0}: holds a cache of an older version, which is not read; "
          "`rm -f '{0}'/*T*.jsonl '{0}'/*T*.index '{0}'/.lock` deletes it",
          directory.string());
      return;
    }
  }
}

}  // namespace spca

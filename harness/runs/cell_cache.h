#pragma once

/// The cache that all runs share: a folder of segments, one for each process that wrote. A cell is
/// found by its key, in whatever experiment, profile or folder it was solved.
///
/// Locks: whoever reads or begins a segment holds `.lock` shared; whoever removes segments holds it
/// alone; a writer holds its own segment alone for as long as it runs.

#include <sys/file.h>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/runs/cache_segment.h"
#include "harness/runs/runner_cell.h"

namespace spca {

/// What SPCA_CACHE_DIR names (empty there: no cache), otherwise results/cache.
std::filesystem::path cache_directory();

/// Who measures: {"machine", "build" (compiler, flags, build type), "threads"}. Times of one origin
/// may be compared.
Json timing_origin(int threads);
/// The first 16 hexadecimal digits of the SHA-256 of a timing_origin, or of the same fields of what
/// a segment says.
std::string origin_digest(const Json& origin);

/// One entry of the cache.
struct CachePlace {
  std::size_t segment = 0;
  std::size_t entry = 0;
};

/// The cache as it is now. Nothing is removed from it meanwhile.
class CacheReader {
 public:
  /// Empty where `directory` is empty or not there. `lock`: LOCK_SH, or LOCK_EX of <sys/file.h> for
  /// who is going to remove segments; then throws InputError where the folder cannot be written.
  explicit CacheReader(const std::filesystem::path& directory, int lock = LOCK_SH);

  const std::vector<CacheSegment>& segments() const { return segments_; }
  const CacheEntry& entry(const CachePlace& place) const {
    return segments_[place.segment].entries()[place.entry];
  }
  /// Where the latest record of each key stands; nothing for one that is not there or was
  /// forgotten since.
  std::vector<std::optional<CachePlace>> find(const std::vector<CellKey>& keys) const;
  /// Empty where the line is damaged.
  std::string payload(const CachePlace& place) const;
  /// Null where it is damaged.
  const Json& origin(const CachePlace& place) const;

 private:
  FileDescriptor lock_;
  std::vector<CacheSegment> segments_;  // in the order in which they were begun
  mutable std::size_t open_segment_ = 0;
  mutable std::map<std::pair<std::size_t, std::uint64_t>, Json> origins_;
};

/// Calls `visit` for each cell in `wanted` that the cache answers, with the record and its origin:
/// a record of a build as this one that is final and did not end at the time limit, which on this
/// machine, now, it might not.
using VisitHit = std::function<void(std::size_t cell, const std::string& line, const Json& origin)>;
void for_each_hit(const CacheReader& cache, const RunContext& context,
                  const std::vector<std::size_t>& wanted, const Json& build, const VisitHit& visit);

/// Appends to a segment of its own, which is made at the first call that has something to write.
/// Trouble with the cache is said once on stderr and ends the writing, never the run.
class CacheWriter {
 public:
  /// `origin`: timing_origin and whatever else is to be known of the records. Writes nothing where
  /// `directory` is empty.
  CacheWriter(std::filesystem::path directory, Json origin);
  ~CacheWriter();
  CacheWriter(const CacheWriter&) = delete;
  CacheWriter& operator=(const CacheWriter&) = delete;

  void add(const std::string& identity_digest, const Json& identity, std::string_view line);
  /// The record that the cache has of this cell so far is not to be used any more.
  void forget(std::string_view key);
  /// For a forked child, which must not keep the segment locked when its parent is killed.
  void close_in_child() { file_.close(); }

 private:
  void begin();
  void append(std::string_view payload);
  template <class Write>
  void guard(Write write);

  std::filesystem::path directory_;
  Json origin_;
  std::filesystem::path path_;
  FileDescriptor file_;
  std::uint64_t size_ = 0;
  std::set<std::string> identities_;
};

}  // namespace spca

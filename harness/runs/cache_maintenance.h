#pragma once

/// What is in the cache of cells, and throwing out what is not wanted any more.

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "harness/runs/cell_cache.h"

namespace spca {

struct CacheCount {
  std::size_t entries = 0;
  std::uint64_t bytes = 0;
};

struct CacheListing {
  CacheCount total;  // records that count: the latest of each cell
  std::uint64_t file_bytes = 0;
  std::size_t segments = 0;
  std::size_t in_use = 0;  // segments whose writer runs
  std::size_t damaged = 0;
  /// "experiment", "solver", "dataset", "source" (first digits of the digest of the harness, and
  /// whether it is this program's) -> value -> count.
  std::map<std::string, std::map<std::string, CacheCount>> by;
};

CacheListing list_cache(const std::filesystem::path& directory);

struct CacheCollection {
  std::optional<double> older_than_days = {};
  std::optional<double> max_size_megabytes = {};
  bool stale = false;
  bool dry_run = false;
};

struct CollectedCache {
  CacheCount kept;
  /// "superseded", "old", "stale", "over the size" -> what went.
  std::map<std::string, CacheCount> removed;
  std::size_t damaged = 0;
  std::size_t segments_before = 0;
  std::size_t segments_after = 0;
  std::size_t in_use = 0;  // segments that were left alone, for their writer runs
};

/// Removes what the conditions name, and what always counts for nothing: records that a later one
/// of the same cell supersedes, damaged lines. Segments between two that are in use become one.
/// Waits for whoever reads, and they for this. A stale record is one of another harness, solver or
/// data set source than this program's. Throws InputError where the folder cannot be written.
CollectedCache collect_cache(const std::filesystem::path& directory,
                             const CacheCollection& collection);

}  // namespace spca

#pragma once

/// Lists the contents of the cache of cells, and removes unwanted rows.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "harness/runs/cache_file.h"

namespace spca {

struct CacheCount {
  std::size_t entries = 0;
  std::uint64_t bytes = 0;  // size of the texts
};

struct CacheListing {
  CacheCount total;  // answers that may be returned
  std::uint64_t file_bytes = 0;
  std::size_t damaged = 0;
  /// Counts by value of "experiment", "solver", "dataset" and "source", which is "current" or
  /// "stale" (matches_current_sources()).
  std::map<std::string, std::map<std::string, CacheCount>> by;
};

/// Reads and checks every row. Throws InputError.
CacheListing list_cache(const std::filesystem::path& directory);

struct CacheCollection {
  /// Removes rows older than this, counted from the start of the run that solved the cell.
  std::optional<double> older_than_days = {};
  std::optional<double> max_size_megabytes = {};  // the oldest answers are removed first
  bool stale = false;
  bool dry_run = false;
};

struct CollectedCache {
  CacheCount kept;
  /// The removed rows by reason: "damaged", "forgotten", "old", "stale", "over the size".
  std::map<std::string, CacheCount> removed;
  std::uint64_t file_bytes_before = 0;
  std::uint64_t file_bytes_after = 0;
};

/// Removes the rows that the conditions select, and the useless rows: damaged ones, and those that
/// --force has forgotten. Removes all of them or, if something fails, nothing. Waits for a process
/// that is writing, and blocks other writers meanwhile. With `dry_run` removes and blocks nothing.
/// Throws InputError.
CollectedCache collect_cache(const std::filesystem::path& directory,
                             const CacheCollection& collection);

}  // namespace spca

#pragma once

/// What is in the cache of cells, and removing what is not wanted any more.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "harness/runs/cache_file.h"

namespace spca {

struct CacheCount {
  std::size_t entries = 0;
  std::uint64_t bytes = 0;  // of the texts
};

struct CacheListing {
  CacheCount total;  // answers that may be handed out
  std::uint64_t file_bytes = 0;
  std::size_t damaged = 0;
  /// "experiment", "solver", "dataset", "source" (first digits of the digest of the harness, and
  /// whether the answers are stale) -> value -> count.
  std::map<std::string, std::map<std::string, CacheCount>> by;
};

/// Reads and checks every row. Throws InputError.
CacheListing list_cache(const std::filesystem::path& directory);

struct CacheCollection {
  std::optional<double> older_than_days = {};     // since the run began that solved the cell
  std::optional<double> max_size_megabytes = {};  // the answers that were written first go first
  bool stale = false;
  bool dry_run = false;
};

struct CollectedCache {
  CacheCount kept;
  /// "damaged", "forgotten", "old", "stale", "over the size" -> what went.
  std::map<std::string, CacheCount> removed;
  std::uint64_t file_bytes_before = 0;
  std::uint64_t file_bytes_after = 0;
};

/// Removes what the conditions name, and what counts for nothing: rows that are damaged, and those
/// that --force has forgotten. All of it goes or, if something fails, nothing. Waits for a process
/// that is writing, and makes it wait. Throws InputError.
CollectedCache collect_cache(const std::filesystem::path& directory,
                             const CacheCollection& collection);

}  // namespace spca

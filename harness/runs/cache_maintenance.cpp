#include "harness/runs/cache_maintenance.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>
#include <utility>

#include "spca/io/revision.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// A record that counts.
struct Live {
  CachePlace place;
  std::string why_removed;  // empty: stays
};

/// The latest record of each cell, oldest first.
std::vector<Live> live_records(const CacheReader& cache) {
  std::unordered_map<CellKey, CachePlace, CellKeyHash> latest;
  for (std::size_t segment = 0; segment < cache.segments().size(); ++segment) {
    const std::vector<CacheEntry>& entries = cache.segments()[segment].entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].kind == CacheEntryKind::kRecord) {
        latest.insert_or_assign(entries[i].key, CachePlace{segment, i});
      } else if (entries[i].kind == CacheEntryKind::kForgotten) {
        latest.erase(entries[i].key);
      }
    }
  }
  std::vector<Live> records;
  for (const auto& [key, place] : latest) {
    records.push_back({.place = place, .why_removed = ""});
  }
  std::sort(records.begin(), records.end(), [](const Live& a, const Live& b) {
    return std::pair(a.place.segment, a.place.entry) < std::pair(b.place.segment, b.place.entry);
  });
  return records;
}

CellKey identity_key(const CellKey& key) { return {0, 0, key[2], key[3]}; }

std::unordered_map<CellKey, Json, CellKeyHash> read_all_identities(const CacheReader& cache) {
  std::unordered_map<CellKey, Json, CellKeyHash> identities;
  for (std::size_t segment = 0; segment < cache.segments().size(); ++segment) {
    const std::vector<CacheEntry>& entries = cache.segments()[segment].entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].kind == CacheEntryKind::kIdentity && !identities.contains(entries[i].key)) {
        const Json json = Json::parse(cache.payload({segment, i}), nullptr, false);
        identities.emplace(entries[i].key, json.is_object() ? json.at("of") : Json());
      }
    }
  }
  return identities;
}

std::string word(const Json& json, const char* pointer) {
  const Json::json_pointer at(pointer);
  return json.is_object() && json.contains(at) && json.at(at).is_string()
             ? json.at(at).get<std::string>()
             : "unknown";
}

void add(CacheCount& count, std::uint64_t bytes) {
  ++count.entries;
  count.bytes += bytes;
}

double age_in_days(const Json& origin) {
  constexpr double kSecondsOfADay = 86400;
  if (!origin.is_object() || !origin.contains("seconds_since_1970")) {
    return std::numeric_limits<double>::infinity();
  }
  return (static_cast<double>(std::time(nullptr)) - origin["seconds_since_1970"].get<double>()) /
         kSecondsOfADay;
}

/// Says of each record whether and why it goes. Those of segments in use stay.
void select(const CacheReader& cache, const CacheCollection& collection,
            std::vector<Live>& records) {
  const auto identities = read_all_identities(cache);
  std::uint64_t bytes = 0;
  for (Live& record : records) {
    const CacheEntry& entry = cache.entry(record.place);
    const auto identity = identities.find(identity_key(entry.key));
    const bool may_go = !cache.segments()[record.place.segment].in_use();
    if (may_go && collection.older_than_days &&
        age_in_days(cache.origin(record.place)) > *collection.older_than_days) {
      record.why_removed = "old";
    } else if (may_go && collection.stale &&
               (identity == identities.end() || !is_of_these_sources(identity->second))) {
      record.why_removed = "stale";
    }
    bytes += record.why_removed.empty() ? entry.length : 0;
  }
  constexpr double kBytesOfAMegabyte = 1e6;
  for (Live& record : records) {  // the oldest first
    if (collection.max_size_megabytes && record.why_removed.empty() &&
        static_cast<double>(bytes) > kBytesOfAMegabyte * *collection.max_size_megabytes &&
        !cache.segments()[record.place.segment].in_use()) {
      record.why_removed = "over the size";
      bytes -= cache.entry(record.place).length;
    }
  }
}

/// Records that stay: segment and entry.
using Stays = std::set<std::pair<std::size_t, std::size_t>>;

/// Segments `first` to `last`, none of them in use, become one.
struct Joint {
  std::size_t first = 0;
  std::size_t last = 0;
  /// As long as a segment in use might hold an older record of a cell, the word that it is
  /// forgotten stays.
  bool keeps_forgotten = false;

  bool keeps(const CacheReader& cache, const Stays& stays, const CachePlace& place) const {
    return stays.contains({place.segment, place.entry}) ||
           (keeps_forgotten && cache.entry(place).kind == CacheEntryKind::kForgotten);
  }
};

/// Calls `write` with the lines of the new segment.
template <class Write>
void for_each_line(const CacheReader& cache, const Stays& stays, const Joint& joint, Write write) {
  std::set<CellKey> written;
  for (std::size_t segment = joint.first; segment <= joint.last; ++segment) {
    std::string origin;
    std::map<CellKey, std::size_t> identities;
    const std::vector<CacheEntry>& entries = cache.segments()[segment].entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const CacheEntry& entry = entries[i];
      if (entry.kind == CacheEntryKind::kOrigin) {
        origin = cache.payload({segment, i});
      } else if (entry.kind == CacheEntryKind::kIdentity) {
        identities.emplace(entry.key, i);
      } else if (joint.keeps(cache, stays, {segment, i})) {
        if (!origin.empty()) {
          write(std::exchange(origin, ""));
        }
        const auto identity = identities.find(identity_key(entry.key));
        if (identity != identities.end() && written.insert(identity->first).second) {
          write(cache.payload({segment, identity->second}));
        }
        write(cache.payload({segment, i}));
      }
    }
  }
}

bool has_lines(const CacheReader& cache, const Stays& stays, const Joint& joint) {
  for (std::size_t segment = joint.first; segment <= joint.last; ++segment) {
    for (std::size_t i = 0; i < cache.segments()[segment].entries().size(); ++i) {
      if (joint.keeps(cache, stays, {segment, i})) {
        return true;
      }
    }
  }
  return false;
}

/// Puts the new segment in the place of the old ones. Killed at any point, it leaves records twice
/// at worst.
void replace_segments(const CacheReader& cache, const Stays& stays, const Joint& joint) {
  constexpr std::size_t kWriteBytes = std::size_t{1} << 20;
  const fs::path& target = cache.segments()[joint.last].path();
  ::unlink(CacheSegment::index_path(target).c_str());
  if (has_lines(cache, stays, joint)) {
    replace_file(target, [&](const FileDescriptor& file, const fs::path& path) {
      std::string buffer;
      for_each_line(cache, stays, joint, [&](const std::string& payload) {
        buffer += payload.empty() ? "" : cache_line(payload);  // empty: it is damaged
        if (buffer.size() >= kWriteBytes) {
          write_all(file, path, buffer);
          buffer.clear();
        }
      });
      write_all(file, path, buffer);
    });
    const CacheSegment indexed(target);
  } else {
    ::unlink(target.c_str());
  }
  for (std::size_t segment = joint.first; segment < joint.last; ++segment) {
    const fs::path& path = cache.segments()[segment].path();
    ::unlink(CacheSegment::index_path(path).c_str());
    ::unlink(path.c_str());
  }
}

/// A process that was killed while it wrote beside a file left these.
void remove_leftovers(const fs::path& directory) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const fs::path extension = entry.path().extension();
    if (extension == ".new" || extension == ".tmp") {
      fs::remove(entry.path(), error);
    }
  }
}

}  // namespace

CacheListing list_cache(const fs::path& directory) {
  const CacheReader cache(directory);
  const auto identities = read_all_identities(cache);
  CacheListing listing;
  listing.segments = cache.segments().size();
  for (const CacheSegment& segment : cache.segments()) {
    listing.file_bytes += segment.bytes();
    listing.in_use += segment.in_use() ? 1 : 0;
    listing.damaged += segment.damaged();
  }
  for (const Live& record : live_records(cache)) {
    const CacheEntry& entry = cache.entry(record.place);
    const auto found = identities.find(identity_key(entry.key));
    const Json identity = found == identities.end() ? Json() : found->second;
    const char* source = is_of_these_sources(identity) ? "current" : "stale";
    add(listing.total, entry.length);
    add(listing.by["experiment"][word(cache.origin(record.place), "/experiment")], entry.length);
    add(listing.by["solver"][word(identity, "/solve/solver")], entry.length);
    add(listing.by["dataset"][word(identity, "/dataset/name")], entry.length);
    add(listing.by["source"][source], entry.length);
  }
  return listing;
}

CollectedCache collect_cache(const fs::path& directory, const CacheCollection& collection) {
  CollectedCache collected;
  if (!fs::is_directory(directory)) {
    return collected;
  }
  const CacheReader cache(directory, LOCK_EX);
  std::vector<Live> records = live_records(cache);
  select(cache, collection, records);
  const std::vector<CacheSegment>& segments = cache.segments();
  Stays stays;
  std::size_t all_records = 0;
  std::uint64_t all_bytes = 0;
  for (const CacheSegment& segment : segments) {
    collected.in_use += segment.in_use() ? 1 : 0;
    collected.damaged += segment.damaged();
    for (const CacheEntry& entry : segment.entries()) {
      all_records += entry.kind == CacheEntryKind::kRecord ? 1 : 0;
      all_bytes += entry.kind == CacheEntryKind::kRecord ? entry.length : 0;
    }
  }
  CacheCount counted;
  for (const Live& record : records) {
    const std::uint64_t length = cache.entry(record.place).length;
    add(counted, length);
    add(record.why_removed.empty() ? collected.kept : collected.removed[record.why_removed],
        length);
    if (record.why_removed.empty()) {
      stays.emplace(record.place.segment, record.place.entry);
    }
  }
  if (all_records > counted.entries) {
    collected.removed["superseded"] = {all_records - counted.entries, all_bytes - counted.bytes};
  }
  collected.segments_before = collected.segments_after = segments.size();
  for (std::size_t first = 0; first < segments.size(); ++first) {
    if (segments[first].in_use()) {
      continue;
    }
    Joint joint{.first = first, .last = first, .keeps_forgotten = collected.in_use > 0};
    while (joint.last + 1 < segments.size() && !segments[joint.last + 1].in_use()) {
      ++joint.last;
    }
    collected.segments_after -= joint.last - first + (has_lines(cache, stays, joint) ? 0 : 1);
    if (!collection.dry_run) {
      replace_segments(cache, stays, joint);
    }
    first = joint.last;
  }
  if (!collection.dry_run) {
    remove_leftovers(directory);
  }
  return collected;
}

}  // namespace spca

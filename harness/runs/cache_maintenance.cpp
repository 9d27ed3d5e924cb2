#include "harness/runs/cache_maintenance.h"

#include <ctime>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "harness/experiments/experiment.h"
#include "harness/experiments/experiment_identity.h"
#include "spca/base/megabyte.h"
#include "spca/io/revision.h"

namespace spca {
namespace {

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

/// A row and the reason for removing it.
struct JudgedRow {
  std::int64_t number = 0;
  std::uint64_t bytes = 0;
  std::string why_removed;  // empty: the row stays
};

/// Judges each row by itself, then marks the oldest remaining rows for removal until the total size
/// is small enough.
std::vector<JudgedRow> judge_rows(CacheFile& cache, const CacheCollection& collection) {
  const std::map<std::string, Json> identities = cache.identities();
  const auto is_stale_identity = [&](const std::string& digest) {
    const auto identity = identities.find(digest);
    return identity == identities.end() || !matches_current_sources(identity->second);
  };
  std::map<std::string, bool> stale;  // by digest
  std::vector<JudgedRow> rows;
  std::uint64_t bytes = 0;
  cache.for_each([&](const CacheRow& row) {
    JudgedRow judged{.number = row.number, .bytes = row.answer.text.size(), .why_removed = ""};
    if (row.kind == CacheRowKind::kDamaged) {
      judged.why_removed = "damaged";
    } else if (row.kind == CacheRowKind::kForgotten) {
      judged.why_removed = "forgotten";
    } else if (collection.older_than_days &&
               age_in_days(cache.origin(row.origin)) > *collection.older_than_days) {
      judged.why_removed = "old";
    } else if (collection.stale) {
      const auto [known, is_new] = stale.try_emplace(row.identity);
      if (is_new) {
        known->second = is_stale_identity(row.identity);
      }
      judged.why_removed = known->second ? "stale" : "";
    }
    bytes += judged.why_removed.empty() ? judged.bytes : 0;
    rows.push_back(std::move(judged));
  });
  for (JudgedRow& row : rows) {
    if (collection.max_size_megabytes && row.why_removed.empty() &&
        static_cast<double>(bytes) > kBytesOfAMegabyte * *collection.max_size_megabytes) {
      row.why_removed = "over the size";
      bytes -= row.bytes;
    }
  }
  return rows;
}

}  // namespace

CacheListing list_cache(const std::filesystem::path& directory) {
  CacheFile cache(directory, SqlAccess::kExisting);
  std::map<std::string, const char*> sources;  // key: digest of an identity
  for (const auto& [digest, identity] : cache.identities()) {
    sources[digest] = matches_current_sources(identity) ? "current" : "stale";
  }
  CacheListing listing;
  listing.file_bytes = cache.bytes();
  cache.for_each([&](const CacheRow& row) {
    listing.damaged += row.kind == CacheRowKind::kDamaged ? 1 : 0;
    if (row.kind != CacheRowKind::kAnswer) {
      return;
    }
    const std::uint64_t bytes = row.answer.text.size();
    const auto source = sources.find(row.identity);
    add(listing.total, bytes);
    add(listing.by["experiment"][word(cache.origin(row.origin), "/experiment")], bytes);
    add(listing.by["solver"][row.answer.solver], bytes);
    add(listing.by["dataset"][row.answer.dataset], bytes);
    add(listing.by["source"][source == sources.end() ? "stale" : source->second], bytes);
  });
  return listing;
}

CollectedCache collect_cache(const std::filesystem::path& directory,
                             const CacheCollection& collection) {
  CacheFile cache(directory, SqlAccess::kExisting);
  CollectedCache collected;
  collected.file_bytes_before = collected.file_bytes_after = cache.bytes();
  if (!collection.dry_run) {
    cache.begin();
  }
  std::vector<std::int64_t> goes;
  for (const JudgedRow& row : judge_rows(cache, collection)) {
    add(row.why_removed.empty() ? collected.kept : collected.removed[row.why_removed], row.bytes);
    if (!row.why_removed.empty()) {
      goes.push_back(row.number);
    }
  }
  if (!collection.dry_run) {
    cache.remove(goes);
    cache.remove_unused();
    cache.commit();
    cache.shorten();
    collected.file_bytes_after = cache.bytes();
  }
  return collected;
}

}  // namespace spca

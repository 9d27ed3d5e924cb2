#include "harness/runs/cell_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/cells/measured_metrics.h"
#include "harness/records/manifest.h"
#include "harness/records/record.h"
#include "harness/records/record_line.h"
#include "harness/runs/run_writer.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/base/sha256.h"
#include "spca/base/standard_error.h"

namespace spca {
namespace {

constexpr std::size_t kOriginDigits = 16;

std::string digest_of_json(const Json& json) {
  return sha256(json_line(json)).substr(0, kOriginDigits);
}

}  // namespace

std::filesystem::path cache_directory() {
  const char* named = std::getenv("SPCA_CACHE_DIR");
  return named == nullptr ? std::filesystem::path("results") / "cache"
                          : std::filesystem::path(named);
}

Json timing_origin(int threads) {
  Json build = build_information();
  return {{"machine", machine_information()},
          {"build",
           {{"compiler", build["compiler"]},
            {"flags", build["flags"]},
            {"build_type", build["build_type"]}}},
          {"threads", threads}};
}

std::string origin_digest(const Json& origin) {
  return digest_of_json(
      {{"machine", origin["machine"]}, {"build", origin["build"]}, {"threads", origin["threads"]}});
}

CellCache::CellCache(std::filesystem::path directory, SqlAccess access, Json origin)
    : directory_(std::move(directory)),
      access_(access),
      origin_(std::move(origin)),
      origin_digest_(digest_of_json(origin_)) {}

CellCache::~CellCache() { commit(); }

template <class Use>
void CellCache::guard(Use use) {
  if (directory_.empty()) {
    return;
  }
  try {
    if (!file_) {
      warn_of_old_cache(directory_);
      read_without_writing();
      file_ = std::make_unique<CacheFile>(directory_, access_);
    }
    use(*file_);
  } catch (const InputError& error) {
    say("spca: {}; the run goes on without the cache", error.what());
    directory_.clear();
    file_.reset();
  }
}

void CellCache::read_without_writing() {
  std::error_code error;
  if (access_ == SqlAccess::kMade && std::filesystem::exists(directory_ / "cells.sqlite", error) &&
      ::access(directory_.c_str(), W_OK) != 0) {
    say("spca: {}: cannot be written ({}); its answers are read, and none is added",
        directory_.string(), std::strerror(errno));
    access_ = SqlAccess::kExisting;
    is_read_only_ = true;
  }
}

std::optional<CacheRow> CellCache::find(const std::string& key) {
  std::optional<CacheRow> found;
  guard([&](CacheFile& file) { found = file.find(key); });
  return found;
}

void CellCache::for_each(const std::function<void(const CacheRow&)>& visit) {
  guard([&](CacheFile& file) { file.for_each(visit); });
}

std::map<std::string, Json> CellCache::identities() {
  std::map<std::string, Json> all;
  guard([&](CacheFile& file) { all = file.identities(); });
  return all;
}

const Json& CellCache::origin(const std::string& digest) {
  static const Json kUnknown;
  const Json* origin = &kUnknown;
  guard([&](CacheFile& file) { origin = &file.origin(digest); });
  return *origin;
}

void CellCache::begin_reading() {
  guard([](CacheFile& file) { file.begin_reading(); });
}

void CellCache::add(const CachedAnswer& answer, const std::string& identity_digest,
                    const Json& identity) {
  guard([&](CacheFile& file) {
    if (is_read_only_) {
      return;
    }
    if (!file.in_transaction()) {
      file.begin();
    }
    file.add(answer, identity_digest, identity, origin_digest_, origin_);
  });
}

void CellCache::forget(const std::string& key) {
  guard([&](CacheFile& file) {
    if (is_read_only_) {
      return;
    }
    if (!file.in_transaction()) {
      file.begin();
    }
    file.forget(key);
  });
}

void CellCache::add_metrics(const std::string& key, const std::string& line) {
  guard([&](CacheFile& file) {
    if (is_read_only_) {
      return;
    }
    std::optional<CacheRow> row = file.find(key);
    try {
      if (!row || !is_same_solve(row->answer.text, line)) {
        return;
      }
      const Envelope envelope = read_envelope(row->answer.text);
      row->answer.text = compose_line(envelope, answer_of_line(line));
      row->answer.status = scan_record_line(line).status;
    } catch (const InputError&) {
      return;  // an older version wrote the row
    }
    if (!file.in_transaction()) {
      file.begin();
    }
    file.replace(*row);
  });
}

void CellCache::commit() {
  if (file_ && file_->in_transaction()) {
    guard([](CacheFile& file) { file.commit(); });
  }
}

void for_each_hit(CellCache& cache, const RunContext& context,
                  const std::vector<std::size_t>& wanted, const Json& build,
                  const VisitHit& visit) {
  if (wanted.empty()) {
    return;  // the cache need not be opened
  }
  cache.begin_reading();
  for (const std::size_t cell : wanted) {
    const std::optional<CacheRow> row = cache.find(context.key(cell));
    if (!row || !is_repeatable(row->answer.status)) {
      continue;
    }
    try {
      require_check(row->answer.text);
    } catch (const InputError&) {
      continue;  // an older version wrote the row: the cell is solved again and the row replaced
    }
    const Json& origin = cache.origin(row->origin);
    if (origin.is_object() && origin.contains("build") && origin["build"] == build) {
      visit(cell, row->answer.text, origin);
    }
  }
  cache.commit();
}

}  // namespace spca

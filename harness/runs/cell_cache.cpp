#include "harness/runs/cell_cache.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "harness/records/record.h"
#include "harness/runs/run_writer.h"
#include "spca/base/sha256.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> segment_paths(const fs::path& directory) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().extension() == ".jsonl") {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// Begins with the time, so that the order of names is that in which segments were begun.
std::string segment_name() {
  const auto now = std::chrono::system_clock::now();
  const auto whole = std::chrono::floor<std::chrono::seconds>(now);
  const auto micro = std::chrono::duration_cast<std::chrono::microseconds>(now - whole).count();
  return fmt::format("{:%Y%m%dT%H%M%S}.{:06}-{}.jsonl",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(now)), micro, ::getpid());
}

}  // namespace

fs::path cache_directory() {
  const char* named = std::getenv("SPCA_CACHE_DIR");
  return named == nullptr ? fs::path("results") / "cache" : fs::path(named);
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
  constexpr std::size_t kDigits = 16;
  const Json fields = {
      {"machine", origin["machine"]}, {"build", origin["build"]}, {"threads", origin["threads"]}};
  return sha256(fields.dump(-1, ' ', false, Json::error_handler_t::replace)).substr(0, kDigits);
}

CacheReader::CacheReader(const fs::path& directory, int lock) {
  std::error_code error;
  if (directory.empty() || !fs::is_directory(directory, error)) {
    return;
  }
  const fs::path file = directory / ".lock";
  if (lock == LOCK_EX) {
    lock_ = open_or_throw(file, O_RDWR | O_CREAT);
  } else {
    lock_ = FileDescriptor(::open(file.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0644));
  }
  if (lock_.is_open()) {  // else it is readable only: nobody removes anything there
    ::flock(lock_.get(), lock);
  }
  for (const fs::path& path : segment_paths(directory)) {
    segments_.emplace_back(path);
  }
}

std::vector<std::optional<CachePlace>> CacheReader::find(const std::vector<CellKey>& keys) const {
  std::vector<std::optional<CachePlace>> places(keys.size());
  std::unordered_map<CellKey, std::optional<CachePlace>, CellKeyHash> latest;
  latest.reserve(keys.size());
  for (const CellKey& key : keys) {
    latest.emplace(key, std::nullopt);
  }
  for (std::size_t segment = 0; segment < segments_.size(); ++segment) {
    const std::vector<CacheEntry>& entries = segments_[segment].entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].kind > CacheEntryKind::kForgotten) {
        continue;
      }
      const auto wanted = latest.find(entries[i].key);
      if (wanted != latest.end()) {
        const bool is_record = entries[i].kind == CacheEntryKind::kRecord;
        wanted->second = is_record ? std::optional(CachePlace{segment, i}) : std::nullopt;
      }
    }
  }
  std::transform(keys.begin(), keys.end(), places.begin(),
                 [&](const CellKey& key) { return latest.at(key); });
  return places;
}

std::string CacheReader::payload(const CachePlace& place) const {
  if (place.segment != open_segment_) {
    segments_[open_segment_].close();
    open_segment_ = place.segment;
  }
  return segments_[place.segment].payload(entry(place));
}

const Json& CacheReader::origin(const CachePlace& place) const {
  const std::pair at(place.segment, entry(place).origin);
  auto known = origins_.find(at);
  if (known == origins_.end()) {
    known = origins_.emplace(at, segments_[place.segment].origin(entry(place))).first;
  }
  return known->second;
}

void for_each_hit(const CacheReader& cache, const RunContext& context,
                  const std::vector<std::size_t>& wanted, const Json& build,
                  const VisitHit& visit) {
  if (cache.segments().empty()) {
    return;
  }
  std::vector<CellKey> keys;
  for (const std::size_t cell : wanted) {
    keys.push_back(cell_key_from(context.key(cell)));
  }
  const auto places = cache.find(keys);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i] || !is_repeatable(static_cast<Status>(cache.entry(*places[i]).status))) {
      continue;
    }
    const Json& origin = cache.origin(*places[i]);
    if (!origin.is_object() || origin["build"] != build) {
      continue;
    }
    const std::string line = cache.payload(*places[i]);
    if (!line.empty()) {
      visit(wanted[i], line, origin);
    }
  }
}

CacheWriter::CacheWriter(fs::path directory, Json origin)
    : directory_(std::move(directory)), origin_(std::move(origin)) {}

CacheWriter::~CacheWriter() {
  if (!file_.is_open()) {
    return;
  }
  file_.close();
  try {
    const CacheSegment complete(path_);  // writes its index, which spares the next run the reading
  } catch (const InputError&) {
    // Somebody took it away.
  }
}

void CacheWriter::begin() {
  make_directory(directory_);
  const FileDescriptor lock = open_or_throw(directory_ / ".lock", O_RDWR | O_CREAT);
  ::flock(lock.get(), LOCK_SH);  // until the segment is locked, lest it be taken for an empty one
  path_ = directory_ / segment_name();
  file_ = open_or_throw(path_, O_WRONLY | O_CREAT | O_EXCL | O_APPEND);
  ::flock(file_.get(), LOCK_EX);
  append(origin_payload(origin_));
}

void CacheWriter::append(std::string_view payload) {
  const std::string line = cache_line(payload);
  try {
    write_all(file_, path_, line);
  } catch (const InputError&) {
    [[maybe_unused]] const int ignored = ::ftruncate(file_.get(), static_cast<off_t>(size_));
    throw;
  }
  size_ += line.size();
}

template <class Write>
void CacheWriter::guard(Write write) {
  if (directory_.empty()) {
    return;
  }
  try {
    if (!file_.is_open()) {
      begin();
    }
    write();
  } catch (const InputError& error) {
    fmt::print(stderr, "spca: {}; the run goes on without the cache\n", error.what());
    directory_.clear();
  }
}

void CacheWriter::add(const std::string& identity_digest, const Json& identity,
                      std::string_view line) {
  guard([&] {
    if (identities_.insert(identity_digest).second) {
      append(identity_payload(identity_digest, identity));
    }
    append(line);
  });
}

void CacheWriter::forget(std::string_view key) {
  guard([&] { append(forgotten_payload(key)); });
}

}  // namespace spca

#include "harness/runs/run_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "harness/cells/library_check.h"
#include "harness/cells/measured_metrics.h"
#include "harness/experiments/experiment_identity.h"
#include "harness/records/record_line.h"
#include "spca/base/json_text.h"
#include "spca/base/standard_error.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

constexpr std::size_t kCopyBytes = std::size_t{1} << 20;

using CellPlaces = std::unordered_map<CellIdentity, std::size_t, CellIdentityHash>;

CellPlaces places_of(const RunContext& context) {
  CellPlaces places;
  for (std::size_t cell = 0; cell < context.cells.size(); ++cell) {
    places.emplace(context.identity(cell), cell);
  }
  return places;
}

StoredRecord stored_record(const RunContext& context, std::size_t cell, const RecordLine& record,
                           std::uint64_t offset, std::string_view line) {
  const bool answers = is_answer(record.status, record.has_loadings);
  const bool was_judged = answers || record.status == Status::kInvalid;
  const bool is_measured_otherwise =
      was_judged && !context.metrics.empty() &&
      record.measured_by != context.metrics[context.cells[cell].variant];
  const bool is_stale = is_measured_otherwise || (answers && !context.metrics.empty() &&
                                                  lies_beyond_library(context, cell, line));
  return {.exists = true,
          .status = record.status,
          .is_failure = is_failure(record.status, record.has_loadings),
          .is_answer = answers,
          .is_stale = is_stale,
          .has_more =
              is_measured_otherwise && has_more_metrics(context, cell, line, record.measured_by),
          .offset = offset,
          .length = line.size()};
}

std::string identity_line(const std::string& digest, const Json& identity) {
  return fmt::format("{{\"identity\":\"{}\",\"of\":{}}}\n", digest, json_line(identity));
}

/// A line that is ignored.
struct BadLine {
  std::size_t number = 0;
  std::string why;
};

struct Found {
  std::vector<StoredRecord> records;
  std::uint64_t size = 0;  // number of bytes in whole lines
  std::size_t bad_lines = 0;
  BadLine first_bad;
};

/// Prints one line on stderr for all bad lines, because a damaged file may have thousands of them.
void print_bad_lines(const Found& found, const std::filesystem::path& path) {
  if (found.bad_lines > 0) {
    fmt::print(stderr, "spca: {}:{}: {}; {} left out, and solved again\n", path.string(),
               found.first_bad.number, found.first_bad.why,
               found.bad_lines == 1
                   ? "its cell is"
                   : fmt::format("the cells of {} such lines are", found.bad_lines));
  }
}

using VisitLine =
    std::function<void(std::size_t cell, const StoredRecord& record, const std::string& line)>;

/// Scans the file without storing its records, which are visited line by line.
Found scan_records(const RunContext& context, const CellPlaces& places,
                   const std::filesystem::path& path, Damage damage, const VisitLine& visit) {
  Found found;
  std::ifstream file(path, std::ios::binary);
  std::string line;
  for (std::size_t number = 1; std::getline(file, line) && !file.eof(); ++number) {
    const std::uint64_t offset = found.size;
    found.size += line.size() + 1;
    try {
      if (damage == Damage::kRefused) {
        require_check(line);
      } else {
        refuse_wrong_check(line);
      }
      const RecordLine record = scan_record_line(line);
      const auto position = places.find(record.cell);
      if (position != places.end() && context.key(position->second) == record.key) {
        visit(position->second, stored_record(context, position->second, record, offset, line),
              line);
      }
    } catch (const InputError& error) {
      if (found.bad_lines++ == 0) {
        found.first_bad = {.number = number, .why = error.what()};
      }
    }
  }
  return found;
}

/// Returns whether the file has at least one byte.
bool holds_anything(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return file && file.peek() != std::ifstream::traits_type::eof();
}

Found find_records(const RunContext& context, const std::filesystem::path& path, Damage damage) {
  std::vector<StoredRecord> records(context.cells.size());
  Found found;
  if (holds_anything(path)) {
    found = scan_records(context, places_of(context), path, damage,
                         [&](std::size_t cell, const StoredRecord& record, const std::string&) {
                           records[cell] = record;
                         });
  }
  found.records = std::move(records);
  return found;
}

}  // namespace

std::string read_line(const FileDescriptor& cells, const std::filesystem::path& path,
                      const StoredRecord& record) {
  std::string line(record.length, '\0');
  if (::pread(cells.get(), line.data(), line.size(), static_cast<off_t>(record.offset)) !=
      static_cast<ssize_t>(line.size())) {
    throw_file_error(path, "cannot be read", errno);
  }
  return line;
}

std::optional<std::string> running_process(const std::filesystem::path& directory) {
  const FileDescriptor file(::open((directory / ".lock").c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open() || try_lock(file, LOCK_SH)) {
    return std::nullopt;
  }
  constexpr std::size_t kMostLockBytes = 64;
  std::string holder(kMostLockBytes, '\0');
  const ssize_t count = ::pread(file.get(), holder.data(), holder.size(), 0);
  holder.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  holder = holder.substr(0, holder.find('\n'));
  return holder.empty() ? "another process" : holder;
}

StoredRecord as_stored(const RunContext& context, std::size_t cell, std::string_view line) {
  require_check(line);
  return stored_record(context, cell, scan_record_line(line), 0, line);
}

bool needs_solve(const StoredRecord& record) {
  return !record.exists || !is_final(record.status) ||
         (record.is_stale && record.status == Status::kInvalid);
}

bool needs_measuring(const StoredRecord& record) {
  return record.is_stale && !record.has_more && !needs_solve(record);
}

bool needs_restriction(const StoredRecord& record) {
  return record.has_more && !needs_solve(record);
}

std::vector<StoredRecord> find_finished_cells(const RunContext& context,
                                              const std::filesystem::path& directory,
                                              Damage damage) {
  const Found found = find_records(context, directory / "cells.jsonl", damage);
  if (damage == Damage::kTolerated && found.bad_lines > 0) {
    say("spca: {}:{}: {}; {} such line{} left out", (directory / "cells.jsonl").string(),
        found.first_bad.number, found.first_bad.why, found.bad_lines,
        found.bad_lines == 1 ? " is" : "s are");
  }
  return found.records;
}

std::size_t for_each_record(const RunContext& context,
                            const std::vector<std::filesystem::path>& folders,
                            const VisitRecord& visit) {
  const CellPlaces places = places_of(context);
  std::size_t bad_lines = 0;
  for (std::size_t folder = 0; folder < folders.size(); ++folder) {
    bad_lines += scan_records(context, places, folders[folder] / "cells.jsonl", Damage::kRefused,
                              [&](std::size_t cell, const StoredRecord& record,
                                  const std::string& line) { visit(folder, cell, record, line); })
                     .bad_lines;
  }
  return bad_lines;
}

std::map<std::string, Json> read_identities(const std::filesystem::path& directory) {
  std::map<std::string, Json> identities;
  std::ifstream file(directory / "identities.jsonl", std::ios::binary);
  for (std::string line; std::getline(file, line) && !file.eof();) {
    const Json json = parse_json(line);
    // The digest proves that the identity is unchanged.
    if (json.is_object() && json.contains("identity") && json.contains("of") &&
        json["identity"] == identity_digest(json["of"])) {
      identities.emplace(json["identity"].get<std::string>(), json["of"]);
    }
  }
  return identities;
}

RunStore::RunStore(std::filesystem::path directory)
    : directory_(std::move(directory)), cells_path_(directory_ / "cells.jsonl") {
  make_directory(directory_);
  lock_ = open_or_throw(directory_ / ".lock", O_RDWR | O_CREAT);
  // A process that checks for a running one takes the lock briefly.
  constexpr useconds_t kLookMicroseconds = 50'000;
  if (!try_lock(lock_, LOCK_EX) && (::usleep(kLookMicroseconds), !try_lock(lock_, LOCK_EX))) {
    say("{}: {} runs in this folder; waiting for it to end, to run the remaining cells (Ctrl-C: "
        "do not wait)",
        directory_.string(), running_process(directory_).value_or("another process"));
    while (::flock(lock_.get(), LOCK_EX) != 0) {
      if (errno != EINTR) {
        throw_file_error(directory_ / ".lock", "cannot be locked", errno);
      }
    }
  }
  const std::string holder = fmt::format("process {}\n", ::getpid());
  if (::ftruncate(lock_.get(), 0) == 0) {
    // The text is used in messages only, so an error such as a full disk is ignored here.
    [[maybe_unused]] const ssize_t ignored = ::pwrite(lock_.get(), holder.data(), holder.size(), 0);
  }
}

void RunStore::open(const RunContext& context, const std::vector<bool>& forgotten) {
  context_ = &context;
  cells_ = open_or_throw(cells_path_, O_RDWR | O_CREAT | O_APPEND);
  const auto forgets = std::count(forgotten.begin(), forgotten.end(), true);
  Found found;
  if (forgets > 0 && static_cast<std::size_t>(forgets) == context.cells.size()) {
    found.records.resize(context.cells.size());  // all forgotten, whatever the file contains
  } else {
    found = find_records(context, cells_path_, Damage::kRefused);
    print_bad_lines(found, cells_path_);
  }
  if (::ftruncate(cells_.get(), static_cast<off_t>(found.size)) != 0) {
    throw_file_error(cells_path_, "cannot be written", errno);
  }
  size_ = found.size;
  records_ = std::move(found.records);
  for (std::size_t cell = 0; cell < records_.size() && forgets > 0; ++cell) {
    records_[cell].exists = records_[cell].exists && !forgotten[cell];
  }
  if (forgets > 0 || found.bad_lines > 0) {
    // Otherwise the next run would read the forgotten records and the bad lines again.
    put_in_canonical_order();
  }
}

const StoredRecord& RunStore::append(std::size_t cell, std::string_view line) {
  const RecordLine record = scan_record_line(line);
  std::string whole(line);
  whole += '\n';
  try {
    write_all(cells_, cells_path_, whole);
  } catch (const InputError&) {
    // Removes the part of this line that was written; all lines before it stay.
    [[maybe_unused]] const int ignored = ::ftruncate(cells_.get(), static_cast<off_t>(size_));
    throw;
  }
  records_[cell] = stored_record(*context_, cell, record, size_, line);
  size_ += whole.size();
  return records_[cell];
}

void RunStore::restrict_metrics() {
  for (std::size_t cell = 0; cell < records_.size(); ++cell) {
    if (needs_restriction(records_[cell])) {
      append(cell, with_metrics_asked_for(*context_, cell, line(cell)));
    }
  }
}

std::string RunStore::line(std::size_t cell) const {
  return read_line(cells_, cells_path_, records_[cell]);
}

bool RunStore::is_canonical() const {
  std::uint64_t offset = 0;
  for (const StoredRecord& record : records_) {
    if (record.exists) {
      if (record.offset != offset) {
        return false;
      }
      offset += record.length + 1;
    }
  }
  return offset == size_;
}

void RunStore::put_in_canonical_order() {
  if (is_canonical()) {
    return;
  }
  std::vector<StoredRecord> moved = records_;
  std::uint64_t size = 0;
  replace_file(cells_path_, [&](const FileDescriptor& file, const std::filesystem::path& path) {
    std::string buffer;
    for (StoredRecord& record : moved) {
      if (!record.exists) {
        continue;
      }
      const std::size_t start = buffer.size();
      const std::uint64_t bytes = record.length + 1;
      buffer.resize(start + bytes);
      if (::pread(cells_.get(), buffer.data() + start, bytes, static_cast<off_t>(record.offset)) !=
          static_cast<ssize_t>(bytes)) {
        throw_file_error(cells_path_, "cannot be read", errno);
      }
      record.offset = size;
      size += bytes;
      if (buffer.size() >= kCopyBytes) {
        write_all(file, path, buffer);
        buffer.clear();
      }
    }
    write_all(file, path, buffer);
  });
  cells_ = open_or_throw(cells_path_, O_RDWR | O_APPEND);
  records_ = std::move(moved);
  size_ = size;
}

void RunStore::add_identities(const RunContext& context) {
  std::map<std::string, Json> known = read_identities(directory_);
  std::string text;
  for (const auto& [digest, identity] : known) {
    text += identity_line(digest, identity);
  }
  for (std::size_t i = 0; i < context.digests.size(); ++i) {
    if (known.emplace(context.digests[i], context.identities[i]).second) {
      text += identity_line(context.digests[i], context.identities[i]);
    }
  }
  const std::filesystem::path file = directory_ / "identities.jsonl";
  std::ifstream stream(file, std::ios::binary);
  const std::string there{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (there != text) {  // an identity is new or was changed, or the lines are in another order
    write_file_atomically(file, text);
  }
}

void RunStore::write_experiment(const Json& experiment) const {
  write_file_atomically(directory_ / "experiment.json", json_lines(experiment, 2));
}

void RunStore::write_manifest(const Json& manifest, Seal seal) const {
  spca::write_manifest(directory_, manifest, seal);
}

void RunStore::close_in_child() { lock_.close(); }

}  // namespace spca

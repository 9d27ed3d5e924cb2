#include "spca/run_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "spca/json_file.h"

namespace spca {
namespace {

constexpr mode_t kFileMode = 0644;
constexpr std::size_t kCopyBytes = std::size_t{1} << 20;

[[noreturn]] void fail(const std::filesystem::path& path, const char* what, int error) {
  throw InputError(fmt::format("{}: {}: {}", path.string(), what, std::strerror(error)));
}

FileDescriptor open_or_fail(const std::filesystem::path& path, int flags) {
  FileDescriptor file(::open(path.c_str(), flags | O_CLOEXEC, kFileMode));
  if (file.get() < 0) {
    fail(path, "cannot be written", errno);
  }
  return file;
}

void write_all(const FileDescriptor& file, const std::filesystem::path& path,
               std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) {
      fail(path, "cannot be written", errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
}

/// Writes beside `path` and renames: a reader sees the old file or the new one, never a part.
template <class Write>
void replace_file(const std::filesystem::path& path, Write write) {
  const std::filesystem::path beside = path.string() + ".new";
  try {
    const FileDescriptor file = open_or_fail(beside, O_WRONLY | O_CREAT | O_TRUNC);
    write(file, beside);
    if (::fsync(file.get()) != 0) {
      fail(beside, "cannot be written", errno);
    }
  } catch (...) {
    ::unlink(beside.c_str());
    throw;
  }
  if (::rename(beside.c_str(), path.c_str()) != 0) {
    fail(path, "cannot be replaced", errno);
  }
}

/// Labels are no part of a key: the same cell may stand in two grids, or have been renamed.
std::string labelled_key(const std::string& key, const std::string& grid,
                         const std::string& dataset, const std::string& solver) {
  return key + "\n" + grid + "\n" + dataset + "\n" + solver;
}

std::unordered_map<std::string, std::size_t> cells_by_key(const RunContext& context) {
  std::unordered_map<std::string, std::size_t> cells;
  for (std::size_t cell = 0; cell < context.cells.size(); ++cell) {
    const Variant& variant = context.variant(cell);
    cells.emplace(
        labelled_key(context.key(cell), variant.grid, variant.dataset_label, variant.solver_label),
        cell);
  }
  return cells;
}

struct Found {
  std::vector<StoredRecord> records;
  std::uint64_t size = 0;  // of the whole lines
};

Found find_records(const RunContext& context, const std::filesystem::path& path) {
  Found found;
  found.records.resize(context.cells.size());
  std::ifstream file(path, std::ios::binary);
  if (!file || file.peek() == std::ifstream::traits_type::eof()) {
    return found;
  }
  const std::unordered_map<std::string, std::size_t> cells = cells_by_key(context);
  std::string line;
  for (std::size_t number = 1; std::getline(file, line) && !file.eof(); ++number) {
    Record record;
    try {
      record = record_from_line(line);
    } catch (const InputError& error) {
      throw InputError(
          fmt::format("{}:{}: {}; --force starts anew", path.string(), number, error.what()));
    }
    const auto position =
        cells.find(labelled_key(record.key, record.grid, record.dataset, record.solver));
    if (position != cells.end()) {
      found.records[position->second] = {.is_there = true,
                                         .status = record.status,
                                         .is_failure = is_failure(record),
                                         .offset = found.size,
                                         .length = line.size()};
    }
    found.size += line.size() + 1;
  }
  return found;
}

}  // namespace

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

void FileDescriptor::close() {
  if (descriptor_ >= 0) {
    ::close(std::exchange(descriptor_, -1));
  }
}

bool is_final(Status status) { return status != Status::kFailed && status != Status::kSkipped; }

std::vector<StoredRecord> find_finished_cells(const RunContext& context,
                                              const std::filesystem::path& directory) {
  return find_records(context, directory / "cells.jsonl").records;
}

RunStore::RunStore(std::filesystem::path directory)
    : directory_(std::move(directory)), cells_path_(directory_ / "cells.jsonl") {
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (error && !std::filesystem::is_directory(directory_)) {
    fail(directory_, "cannot be made", error.value());
  }
  if (!std::filesystem::is_directory(directory_)) {
    fail(directory_, "cannot be made", ENOTDIR);
  }
  lock_ = open_or_fail(directory_ / ".lock", O_RDWR | O_CREAT);
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) {
    throw InputError(
        fmt::format("{}: another process runs in this directory; accepted: wait for it, or name "
                    "another with -o",
                    directory_.string()));
  }
}

void RunStore::open(const RunContext& context, bool force) {
  cells_ = open_or_fail(cells_path_, O_RDWR | O_CREAT | O_APPEND);
  Found found;
  if (force) {
    found.records.resize(context.cells.size());
  } else {
    found = find_records(context, cells_path_);
  }
  if (::ftruncate(cells_.get(), static_cast<off_t>(found.size)) != 0) {
    fail(cells_path_, "cannot be written", errno);
  }
  size_ = found.size;
  records_ = std::move(found.records);
}

void RunStore::append(std::size_t cell, Status status, bool is_failure, std::string_view line) {
  std::string whole(line);
  whole += '\n';
  try {
    write_all(cells_, cells_path_, whole);
  } catch (const InputError&) {
    // What did get written of this line goes; all lines before it stay.
    [[maybe_unused]] const int ignored = ::ftruncate(cells_.get(), static_cast<off_t>(size_));
    throw;
  }
  records_[cell] = {.is_there = true,
                    .status = status,
                    .is_failure = is_failure,
                    .offset = size_,
                    .length = line.size()};
  size_ += whole.size();
}

bool RunStore::is_canonical() const {
  std::uint64_t offset = 0;
  for (const StoredRecord& record : records_) {
    if (record.is_there) {
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
      if (!record.is_there) {
        continue;
      }
      const std::size_t start = buffer.size();
      const std::uint64_t bytes = record.length + 1;
      buffer.resize(start + bytes);
      if (::pread(cells_.get(), buffer.data() + start, bytes, static_cast<off_t>(record.offset)) !=
          static_cast<ssize_t>(bytes)) {
        fail(cells_path_, "cannot be read", errno);
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
  cells_ = open_or_fail(cells_path_, O_RDWR | O_APPEND);
  records_ = std::move(moved);
  size_ = size;
}

void RunStore::write_json(const std::string& name, const Json& json) const {
  constexpr int kIndent = 2;
  // The command line may hold bytes that are not UTF-8.
  write_file_atomically(directory_ / name,
                        json.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n");
}

void RunStore::close_in_child() {
  lock_.close();
  cells_.close();
}

}  // namespace spca

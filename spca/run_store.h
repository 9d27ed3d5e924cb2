#pragma once

/// cells.jsonl of one run: which cells it has, appended line by line, at the end in canonical
/// order.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "spca/runner_cell.h"

namespace spca {

/// Where the record of a cell stands in cells.jsonl.
struct StoredRecord {
  bool is_there = false;
  Status status = Status::kFailed;
  bool is_failure = false;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  // without the line feed
};

/// A file descriptor that is closed with its owner.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor() { close(); }
  int get() const { return descriptor_; }
  void close();

 private:
  int descriptor_ = -1;
};

/// A record with this status answers its cell for good: the same cell would give it again. Failed
/// cells (a crash, memory) and skipped ones (missing data) are tried again by the next run.
bool is_final(Status status);

/// The finished cells in the cells.jsonl of `directory`, one entry for each cell of the run; none
/// where there is no such file. A torn last line does not count.
std::vector<StoredRecord> find_finished_cells(const RunContext& context,
                                              const std::filesystem::path& directory);

/// The directory of a run that this process writes. Every function throws InputError that names the
/// file and the system's reason.
class RunStore {
 public:
  /// Makes the directory where it is not there, and locks it.
  explicit RunStore(std::filesystem::path directory);

  /// Cuts a torn last line off and finds the finished cells; all is forgotten where `force`.
  void open(const RunContext& context, bool force);
  /// One write of the whole line: whoever kills this process leaves at most the last line torn.
  void append(std::size_t cell, Status status, bool is_failure, std::string_view line);
  /// Rewrites cells.jsonl in the order of the cells, without records of other cells.
  void put_in_canonical_order();
  /// Replaces manifest.json or experiment.json.
  void write_json(const std::string& name, const Json& json) const;

  const std::vector<StoredRecord>& records() const { return records_; }
  /// For a forked child, which must not keep the directory locked when its parent is killed.
  void close_in_child();

 private:
  bool is_canonical() const;
  std::filesystem::path directory_;
  std::filesystem::path cells_path_;
  FileDescriptor lock_;
  FileDescriptor cells_;
  std::uint64_t size_ = 0;  // of cells.jsonl
  std::vector<StoredRecord> records_;
};

}  // namespace spca

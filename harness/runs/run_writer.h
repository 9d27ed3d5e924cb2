#pragma once

/// cells.jsonl of one run: which cells it has, appended line by line, at the end in canonical
/// order.

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/runs/runner_cell.h"
#include "spca/io/file_descriptor.h"

namespace spca {

/// Where the record of a cell stands in cells.jsonl.
struct StoredRecord {
  bool is_there = false;
  Status status = Status::kFailed;
  bool is_failure = false;
  bool is_answer = false;
  bool is_stale = false;  // its metrics are those of other sources or of another list
  /// Stale only because it has more metrics than are asked for (has_more_metrics).
  bool has_more = false;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  // without the line feed
};

/// What a line says of its cell. Throws InputError if it does not match its check.
StoredRecord as_stored(const RunContext& context, std::size_t cell, std::string_view line);
/// Whether the cell is to be solved, again if the record is there. An answer whose metrics are stale
/// is only measured again; one that was found invalid then might be valid now.
bool needs_solve(const StoredRecord& record);
/// Whether the record has an answer whose metrics are to be measured again.
bool needs_measuring(const StoredRecord& record);
/// Whether metrics that nobody asks for are to leave the record, and nothing is to be measured.
bool needs_restriction(const StoredRecord& record);

/// The finished cells in the cells.jsonl of `directory`, one entry for each cell of the run; none
/// where there is no such file. Neither a torn last line counts, nor a line that cannot be read,
/// nor, unless damage is tolerated, one that does not match its check.
std::vector<StoredRecord> find_finished_cells(const RunContext& context,
                                              const std::filesystem::path& directory,
                                              Damage damage = Damage::kRefused);

/// Calls `visit` for each record of the run's cells in the cells.jsonl of these folders, folder by
/// folder and line by line: of two records of a cell in one folder the later one counts. What does
/// not count in find_finished_cells is not visited. Returns how many whole lines could not be read.
using VisitRecord = std::function<void(std::size_t folder, std::size_t cell,
                                       const StoredRecord& record, const std::string& line)>;
std::size_t for_each_record(const RunContext& context,
                            const std::vector<std::filesystem::path>& folders,
                            const VisitRecord& visit);

/// The line of a record in the file `cells`; `path` is its name in messages.
std::string read_line(const FileDescriptor& cells, const std::filesystem::path& path,
                      const StoredRecord& record);

/// identities.jsonl of a run: digest (the second half of a key) -> what it stands for. Explains why
/// a cell is to be run again; nothing else depends on it.
std::map<std::string, Json> read_identities(const std::filesystem::path& directory);

/// The process that runs in a run's directory, in words; empty where none does.
std::optional<std::string> running_process(const std::filesystem::path& directory);

/// The directory of a run that this process writes. Every function throws InputError that names the
/// file and the system's reason.
class RunStore {
 public:
  /// Makes the directory where it is not there, and locks it. Where another process runs in it,
  /// says so on stderr and waits: what that one finishes need not be done again.
  explicit RunStore(std::filesystem::path directory);

  /// Cuts a torn last line off and finds the finished cells. Those that are `forgotten` (none where
  /// it is empty) lose their records; where all are, the file need not even be readable. Lines that
  /// do not match their checks are named on stderr and leave the file.
  void open(const RunContext& context, const std::vector<bool>& forgotten);
  /// One write of the whole line: whoever kills this process leaves at most the last line torn. Of
  /// two lines of a cell the later one counts. Returns what now stands there.
  const StoredRecord& append(std::size_t cell, std::string_view line);
  /// Takes metrics that nobody asks for out of the records that have all others.
  void restrict_metrics();
  /// The line of a cell whose record is there; also in a forked child, of what was there then.
  std::string line(std::size_t cell) const;
  /// Rewrites cells.jsonl in the order of the cells, without records of other cells.
  void put_in_canonical_order();
  /// Adds to identities.jsonl what it does not have yet: what the digests in keys stand for.
  void add_identities(const RunContext& context);
  /// Replaces experiment.json.
  void write_experiment(const Json& experiment) const;
  /// Replaces manifest.json. The seal is opened before anything else of the folder changes.
  void write_manifest(const Json& manifest, Seal seal) const;

  const std::vector<StoredRecord>& records() const { return records_; }
  /// For a forked child, which must not keep the directory locked when its parent is killed. It can
  /// still read lines.
  void close_in_child();

 private:
  bool is_canonical() const;
  std::filesystem::path directory_;
  std::filesystem::path cells_path_;
  const RunContext* context_ = nullptr;  // of open()
  FileDescriptor lock_;
  FileDescriptor cells_;
  std::uint64_t size_ = 0;  // of cells.jsonl
  std::vector<StoredRecord> records_;
};

}  // namespace spca

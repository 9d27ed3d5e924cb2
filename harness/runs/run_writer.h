#pragma once

/// Writes cells.jsonl of one run. Lines are appended one by one and sorted into canonical order at
/// the end.

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cells/runner_cell.h"
#include "spca/io/file_descriptor.h"

namespace spca {

/// The position of a cell's record in cells.jsonl, and its main properties.
struct StoredRecord {
  bool exists = false;
  Status status = Status::kFailed;
  bool is_failure = false;
  bool is_answer = false;
  bool is_stale = false;  // measured by other sources or metrics, or beyond a bound of the library
  /// True if the record is stale only because it has more metrics than requested
  /// (has_more_metrics).
  bool has_more = false;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  // without the line feed
};

/// Returns the state of a cell from its line. Throws InputError if the line does not match its
/// check.
StoredRecord as_stored(const RunContext& context, std::size_t cell, std::string_view line);
/// Returns whether the cell must be solved, perhaps again. An answer with stale metrics is only
/// measured again; but an answer that was found invalid then might be valid now, so that it is
/// solved again.
bool needs_solve(const StoredRecord& record);
/// Returns whether the record has an answer whose metrics must be measured again.
bool needs_measuring(const StoredRecord& record);
/// Returns whether the record only has to lose metrics that are not requested, without any
/// measuring.
bool needs_restriction(const StoredRecord& record);

/// Returns the records in the cells.jsonl of `directory`, one entry for each cell of the run. An
/// entry without a record has `exists` false; so have all entries if the file is missing. Ignores a
/// torn last line, a line that cannot be read, and a line that does not match its check. If damage
/// is tolerated, takes lines without a check, and prints on stderr how many lines were left out: a
/// changed record must not get a new check.
std::vector<StoredRecord> find_finished_cells(const RunContext& context,
                                              const std::filesystem::path& directory,
                                              Damage damage = Damage::kRefused);

/// Calls `visit` for each record of the run's cells in the cells.jsonl of these folders, folder by
/// folder and line by line. If a folder has two records of a cell, both are visited, the later one
/// last. Lines that find_finished_cells ignores are not visited. Returns the number of whole lines
/// that cannot be read or do not match their check.
using VisitRecord = std::function<void(std::size_t folder, std::size_t cell,
                                       const StoredRecord& record, const std::string& line)>;
std::size_t for_each_record(const RunContext& context,
                            const std::vector<std::filesystem::path>& folders,
                            const VisitRecord& visit);

/// Returns the line of a record in the file `cells`; `path` is its name in messages.
std::string read_line(const FileDescriptor& cells, const std::filesystem::path& path,
                      const StoredRecord& record);

/// Returns identities.jsonl of a run: digest (the second half of a key) -> identity. Leaves out an
/// identity that does not match its digest.
std::map<std::string, Json> read_identities(const std::filesystem::path& directory);

/// Describes the process that runs in a run's directory; empty if there is none.
std::optional<std::string> running_process(const std::filesystem::path& directory);

/// The directory of a run that this process writes. Every function throws InputError that names the
/// file and the system's reason.
class RunStore {
 public:
  /// Creates the directory if it is missing, and locks it. If another process runs in it, prints
  /// that on stderr and waits: this run then continues from the results of the other process.
  explicit RunStore(std::filesystem::path directory);

  /// Cuts off a torn last line and finds the finished cells. Cells whose flag in `forgotten` is set
  /// (none if it is empty) lose their records; if all are forgotten, the file is not read. Lines
  /// that cannot be read or do not match their checks are reported on stderr and removed from the
  /// file.
  void open(const RunContext& context, const std::vector<bool>& forgotten);
  /// Writes the whole line in one call: if this process is killed, at most the last line is torn.
  /// If a cell has two lines, the later line is used. Returns the new state of the cell.
  const StoredRecord& append(std::size_t cell, std::string_view line);
  /// Removes the metrics that are not requested from records that have all requested ones.
  void restrict_metrics();
  /// Returns the line of a cell with a record. Works in a forked child for the records before the
  /// fork.
  std::string line(std::size_t cell) const;
  /// Rewrites cells.jsonl in the order of the cells, without records of other cells.
  void put_in_canonical_order();
  /// Adds the missing identities to identities.jsonl, which maps the digests in keys to identities.
  void add_identities(const RunContext& context);
  /// Replaces experiment.json.
  void write_experiment(const Json& experiment) const;
  /// Replaces manifest.json. The seal must be opened before anything else in the folder changes.
  void write_manifest(const Json& manifest, Seal seal) const;

  const std::vector<StoredRecord>& records() const { return records_; }
  /// Releases the lock in a forked child, which must not keep the directory locked when its parent
  /// is killed. The child can still read lines.
  void close_in_child();

 private:
  bool is_canonical() const;
  std::filesystem::path directory_;
  std::filesystem::path cells_path_;
  const RunContext* context_ = nullptr;  // set by open()
  FileDescriptor lock_;
  FileDescriptor cells_;
  std::uint64_t size_ = 0;  // size of cells.jsonl
  std::vector<StoredRecord> records_;
};

}  // namespace spca

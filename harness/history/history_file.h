#pragma once

/// The results of many commits in one SQLite file. docs/HISTORY.md has its tables. The user, or the
/// cache of a CI, keeps it: no run leaves it unless remove() is asked for it.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/history/history_entry.h"
#include "harness/runs/sqlite.h"

namespace spca {

/// What SPCA_HISTORY names, otherwise results/history.sqlite.
std::filesystem::path history_path();

/// A run in the file.
struct HistoryRun : EntryOrigin {
  std::int64_t number = 0;  // runs are numbered in the order in which they were added
  std::string digest;       // HistoryEntry::digest
};

/// A cell of some runs.
struct HistoryQuestion {
  std::int64_t number = 0;
  Json json;
  VariantLabels labels() const;  // of a kernel: the solver alone, with its name
};

struct HistoryPoint {
  std::int64_t question = 0;
  std::int64_t run = 0;
  std::string metric;
  double mean = kNotMeasured;
  std::size_t count = 0;
  bool contended = false;
  std::string by_repeat;  // EntryPoint::by_repeat
};

/// All functions throw InputError, one line that names the file and the reason.
class HistoryFile {
 public:
  /// kExisting: the file must be there and is only read. kMade: it is made, with its folder, if it
  /// is not there. Refuses a file that is no history, of a newer version, or damaged, and leaves it
  /// as it is.
  HistoryFile(const std::filesystem::path& path, SqlAccess access);

  /// Adds the run, or nothing: another process sees all of it or none, also if this one is killed.
  /// Returns the commit under which the same run is there already; nothing if it was added.
  std::optional<std::string> add(const HistoryEntry& entry);

  /// Removes the runs of this experiment that were added under this commit, all of them or none
  /// (if it is killed), and what no other run holds. Returns how many there were.
  std::size_t remove(const std::string& experiment, const std::string& commit);

  /// By date, and of one date as they were added. All runs if `experiment` is empty.
  std::vector<HistoryRun> runs(const std::string& experiment = {}) const;
  /// The questions that runs of this experiment asked, by number.
  std::map<std::int64_t, HistoryQuestion> questions(const std::string& experiment) const;
  /// By question, metric and run.
  std::vector<HistoryPoint> points(const std::string& experiment) const;
  /// The cells of a run, in its order: question and EntryCell::answer.
  std::vector<std::pair<std::int64_t, std::string>> cells(std::int64_t run) const;

  const std::filesystem::path& path() const { return database_->file(); }

 private:
  std::unique_ptr<SqlDatabase> database_;
};

}  // namespace spca

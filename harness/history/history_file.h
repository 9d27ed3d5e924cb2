#pragma once

/// Stores the results of many commits in one SQLite file. docs/HISTORY.md describes its tables. The
/// user or a CI cache keeps the file; only remove() removes runs.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/history/history_entry.h"
#include "harness/runs/sqlite.h"

namespace spca {

/// Returns the path in SPCA_HISTORY, or results/history.sqlite if the variable is unset or empty.
std::filesystem::path history_path();

/// A run in the file.
struct HistoryRun : EntryOrigin {
  std::int64_t number = 0;  // numbered in the order of addition
  std::string digest;       // HistoryEntry::digest
};

/// A question that several runs may share.
struct HistoryQuestion {
  std::int64_t number = 0;
  Json json;
  VariantLabels labels() const;  // of a kernel: its name as the solver, the other labels empty
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

/// A history file. All functions throw InputError with a message of one line that names the file
/// and the reason.
class HistoryFile {
 public:
  /// Opens the file. kExisting: the file must exist. kMade: a missing file is created, with its
  /// folder. Refuses a file that is not a history, has a newer version or is damaged, and leaves it
  /// unchanged.
  HistoryFile(const std::filesystem::path& path, SqlAccess access);

  /// Adds the run in one transaction: another process sees all of it or nothing, even if this
  /// process is killed. If the file has the run already, adds nothing and returns the commit of
  /// that run.
  std::optional<std::string> add(const HistoryEntry& entry);

  /// Removes the runs of this experiment that were added under this commit, and the questions,
  /// answers and machines that no other run uses. Removes all of them or, if the process is killed,
  /// nothing. Returns the number of removed runs.
  std::size_t remove(const std::string& experiment, const std::string& commit);

  /// Returns the runs sorted by date, and those of one date in the order of addition. An empty
  /// `experiment` selects the runs of all experiments.
  std::vector<HistoryRun> runs(const std::string& experiment = {}) const;
  /// Returns the questions that runs of this experiment asked, by number.
  std::map<std::int64_t, HistoryQuestion> questions(const std::string& experiment) const;
  /// Returns the points by question, metric and run.
  std::vector<HistoryPoint> points(const std::string& experiment) const;
  /// Returns the cells of a run in the order of the run: question and EntryCell::answer.
  std::vector<std::pair<std::int64_t, std::string>> cells(std::int64_t run) const;

  const std::filesystem::path& path() const { return database_->file(); }

 private:
  std::unique_ptr<SqlDatabase> database_;
};

}  // namespace spca

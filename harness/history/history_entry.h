#pragma once

/// One run in the form in which a history stores it.
///
/// A *question* is the content of a cell: experiment, profile, seed, time limit, labels, repeats,
/// and the options that differ from their defaults. Cells of two commits are compared if their
/// questions are equal. Thus a default that changes in the code changes the answer, but an option
/// that the experiment sets changes the question.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/comparisons/compared_run.h"
#include "harness/records/run_seal.h"

namespace spca {

/// The pseudo-metric whose mean is the number of repeats of a cell that have an answer, and whose
/// count is the number of all its repeats.
inline constexpr const char* kAnswersMetric = "answers";

/// One metric of one cell.
struct EntryPoint {
  std::string metric;
  /// The mean over the repeats that have a number; the geometric mean for a metric of the machine.
  double mean = kNotMeasured;
  std::size_t count = 0;  // number of these repeats
  /// True for a metric of the machine measured while other cells ran, or on another machine.
  bool contended = false;
  /// For a metric of the machine, a JSON list with one number for each repeat, null if not
  /// measured. Otherwise empty, because the answer holds the numbers.
  std::string by_repeat = {};
};

struct EntryCell {
  Json question;
  std::string answer;  // baseline_cell_text without metrics of the machine; "" for a kernel
  std::vector<EntryPoint> points;
};

/// The origin of a run.
struct EntryOrigin {
  std::string kind;        // "run", or "benchmark" for Google Benchmark
  std::string experiment;  // for a benchmark, the name of its program
  /// "" for a benchmark. The profile of a partial or altered run is followed by its filters and
  /// settings, "full --only solver em", so that the run is compared only with runs of the same
  /// kind.
  std::string profile;
  std::string commit;    // named by the user, or the first digits of `revision`
  std::string revision;  // SHA-256 over all sources; "" for a benchmark
  std::string date;      // utc_moment
  Json machine;          // facts that must agree for times to be compared
  Json overrides;        // of the command line (ComparedRun::overrides); null for a benchmark
};

/// Returns whether the run is partial or altered.
bool is_kept_apart(const EntryOrigin& run);

struct HistoryEntry : EntryOrigin {
  std::string digest;  // equal for equal runs, even if their commits have different names
  std::vector<EntryCell> cells;
  std::size_t reused = 0;  // number of cells without times, which an earlier run has measured
  std::vector<std::string> left_out = {};  // everything else that was left out, one line each
  /// True if the run has only a part of its experiment's cells: by `--only`, or one shard.
  bool is_partial = false;
  /// The number of cells of the whole experiment if the run is partial; 0 if it is not known.
  std::size_t of_cells = 0;
  bool is_altered = false;  // by `--set` or `--repeats`
};

/// The values that the user gives for a run.
struct EntryWords {
  std::string commit;   // empty: the first digits of the run's revision
  std::string date;     // empty: the end of the run
  std::string machine;  // for a benchmark: replaces the machine that its file names
};

/// Returns the filters and the shard behind the profile of a partial run; "" for a whole run. Takes
/// the overrides and the shard of a manifest, each of which may be null.
std::string part_text(const Json& overrides, const Json& shard);
/// The same, for what `--repeats` and `--set` change.
std::string settings_text(const Json& overrides);

/// Reads a finished run; `damage` says whether one that was changed is read, too. Throws
/// InputError, one line, if the run is incomplete or `words` are not acceptable.
HistoryEntry entry_of_run(const std::filesystem::path& directory, const EntryWords& words,
                          Damage damage = Damage::kRefused);

/// Returns the commit as the user wrote it. Throws InputError unless it has 1 to 64 visible
/// characters.
std::string checked_commit(const std::string& commit);

}  // namespace spca

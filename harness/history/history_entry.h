#pragma once

/// One run in the form in which a history keeps it.
///
/// A *question* is what a cell asks: experiment, profile, seed, time limit, labels, repeats, and the
/// options that differ from their defaults. Cells of two commits are compared if they ask the same.
/// A default that changed in the code is a change of the answer, an option that the experiment sets
/// is another question.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/verdicts/compared_run.h"

namespace spca {

/// Counts as a metric: how many repeats of a cell have an answer.
inline constexpr const char* kAnswersMetric = "answers";

/// One metric of one cell.
struct EntryPoint {
  std::string metric;
  /// Over the repeats that have a number: the mean, or of a metric of the machine the geometric mean.
  double mean = kNotMeasured;
  std::size_t count = 0;  // of them
  /// A metric of the machine that was measured beside other cells, or on another machine.
  bool contended = false;
  /// Of a metric of the machine: a JSON list of one number a repeat, null if not measured. Else
  /// empty: the answer has them.
  std::string by_repeat = {};
};

struct EntryCell {
  Json question;
  std::string answer;  // baseline_cell_text without metrics of the machine; "" of a kernel
  std::vector<EntryPoint> points;
};

/// Where a run comes from.
struct EntryOrigin {
  std::string kind;        // "run", or "benchmark": of Google Benchmark
  std::string experiment;  // of a benchmark: the name of its program
  std::string profile;     // "" of a benchmark
  std::string commit;      // as the user names it, or the first digits of `revision`
  std::string revision;    // SHA-256 over all sources; "" of a benchmark
  std::string date;        // utc_moment
  Json machine;            // what must agree for times to be compared
  Json overrides;          // of the command line (ComparedRun::overrides); null of a benchmark
};

struct HistoryEntry : EntryOrigin {
  std::string digest;  // equal for the same run, whatever its commit is called
  std::vector<EntryCell> cells;
  std::size_t reused = 0;  // cells whose times an earlier run measured: they are left out
  std::vector<std::string> left_out = {};  // what else was not taken, a line each
};

/// What the user says of a run.
struct EntryWords {
  std::string commit;   // empty: the first digits of the run's revision
  std::string date;     // empty: when the run ended
  std::string machine;  // of a benchmark: replaces what its file says of the machine
};

/// Reads a finished run. Throws InputError, one line, if the run is not whole or the words are not
/// as accepted.
HistoryEntry entry_of_run(const std::filesystem::path& directory, const EntryWords& words);

/// The commit as the user wrote it. Throws InputError unless it has 1 to 64 visible characters.
std::string checked_commit(const std::string& commit);

}  // namespace spca

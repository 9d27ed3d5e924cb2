#pragma once

/// Solves cells and records the results. The cells of one block run one after the other in a forked
/// child, which writes each record to a pipe; the parent appends it to cells.jsonl. A crash, a hang
/// or a memory overrun affects only the running cell: the rest of its block is given to a new
/// child.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/cells/runner_cell.h"
#include "harness/experiments/experiment.h"
#include "harness/records/record.h"
#include "harness/runs/shard.h"
#include "spca/io/progress.h"

namespace spca {

/// The cells that one task of a job array solves (task_files.h).
struct TaskChunk {
  std::filesystem::path file;     // contains the list; for messages
  std::string name;               // "2/8", for the manifest
  std::vector<std::string> keys;  // keys of the cells
};

struct RunRequest {
  const Experiment* experiment = nullptr;
  std::filesystem::path directory;  // folder of the run; created if missing
  std::filesystem::path data_dir;
  int jobs = 1;
  int threads = 1;
  bool force = false;      // forget the finished cells ...
  std::string force_glob;  // ... or, if not empty, only those that it matches
  Shard shard = {};
  std::optional<TaskChunk> chunk = {};  // restricts the run to these cells of the shard
  std::filesystem::path cache_dir;      // empty: no cache
  bool quiet = false;
  /// The progress display of which the run is the next part, or null for a display of its own.
  Progress* progress = nullptr;
  Json invocation;  // command line, for the manifest
};

struct RunSummary {
  std::size_t cells = 0;
  std::size_t kept = 0;    // number finished in an earlier run of this folder
  std::size_t reused = 0;  // number taken from the cache
  std::size_t run = 0;
  std::size_t measured = 0;  // number of cells with metrics measured again, without a solve
  /// Number of cells kept with stale metrics because measuring them was impossible, and the reason.
  std::size_t unmeasured = 0;
  std::string why_unmeasured;
  std::map<Status, std::size_t> by_status;  // over all cells, kept ones included
  std::size_t failures = 0;                 // number of all cells that make the exit code 3
  /// The first failed and the first skipped cell, each in a line with the reason.
  std::vector<std::string> without_answer;
  bool interrupted = false;
  double seconds = 0;
};

/// Returns results/runs/<experiment>/<profile>[-seed-repeats-set-...]: the same command finds the
/// same folder again.
std::filesystem::path default_run_directory(const Experiment& experiment, const Shard& shard = {});

/// Returns which of the cells are forced: all false without --force. Throws InputError if the GLOB
/// of --force matches no cell.
std::vector<bool> forced_cells(const RunRequest& request, const RunContext& context);

/// Runs the experiment. A finished cell whose metrics are stale (metrics_source) is measured again
/// from its stored loadings, without a solve. Progress goes to stderr: a bar with an estimate on a
/// terminal, plain lines otherwise. At the end cells.jsonl is in canonical order, whatever the
/// order in which cells finished. Waits for another process that runs in the directory. Throws
/// InputError if the directory is not writable.
RunSummary run_experiment(const RunRequest& request);

/// Does the work of run_experiment except the solving: afterwards the folder has its manifest and
/// the records that need no solve, including those from the cache. If it held records before, the
/// manifest keeps the machine that measured them, because this process measures nothing. Throws as
/// run_experiment does.
RunSummary prepare_run(const RunRequest& request);

/// The exit code of a run in which a cell failed (is_failure) or could not be measured.
inline constexpr int kSomeCellsFailedExitCode = 3;
/// Returns kInterruptedExitCode, kSomeCellsFailedExitCode or 0.
int exit_code(const RunSummary& summary);

}  // namespace spca

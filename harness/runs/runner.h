#pragma once

/// Cells to records. Cells of one block run one after the other in a forked child, which writes
/// each record to a pipe; the parent appends it to cells.jsonl. A crash, a hang or a memory overrun
/// costs the running cell alone: the rest of its block goes to a new child.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/experiments/experiment.h"
#include "harness/records/record.h"
#include "harness/runs/runner_cell.h"
#include "harness/runs/shard.h"
#include "spca/io/progress.h"

namespace spca {

/// The cells that one task of a job array solves (task_files.h).
struct TaskChunk {
  std::filesystem::path file;     // in which they are listed, for messages
  std::string name;               // "2/8", for the manifest
  std::vector<std::string> keys;  // of the cells
};

struct RunRequest {
  const Experiment* experiment = nullptr;
  std::filesystem::path directory;  // of this run; made if it is not there
  std::filesystem::path data_dir;
  int jobs = 1;
  int threads = 1;
  bool force = false;      // forget the finished cells ...
  std::string force_glob;  // ... or, where this is not empty, only those that it matches
  Shard shard = {};
  std::optional<TaskChunk> chunk = {};  // only these cells of the shard
  std::filesystem::path cache_dir;      // empty: no cache
  bool quiet = false;
  /// Null: the run has a progress of its own. Otherwise it is the next part of this one.
  Progress* progress = nullptr;
  Json invocation;  // the command line, for the manifest
};

struct RunSummary {
  std::size_t cells = 0;
  std::size_t kept = 0;    // finished in an earlier run of this folder
  std::size_t reused = 0;  // taken from the cache
  std::size_t run = 0;
  std::size_t measured = 0;  // not solved: only their metrics were measured anew
  /// Kept with stale metrics, because something stood in the way of measuring them; and what.
  std::size_t unmeasured = 0;
  std::string why_unmeasured;
  std::map<Status, std::size_t> by_status;  // of all cells, kept ones included
  std::size_t failures = 0;                 // of all cells: those that make the exit code 3
  /// The first cell that failed and the first that was skipped, each in a line that says why.
  std::vector<std::string> without_answer;
  bool interrupted = false;
  double seconds = 0;
};

/// results/runs/<experiment>/<profile>[-seed-repeats-set-...]: the same command finds the same
/// folder again.
std::filesystem::path default_run_directory(const Experiment& experiment, const Shard& shard = {});

/// Which of the cells are forced: all false without --force. Throws InputError where the GLOB of
/// --force matches none.
std::vector<bool> forced_cells(const RunRequest& request, const RunContext& context);

/// A finished cell whose metrics are stale (metrics_source) is measured anew from its stored
/// loadings, without a solve. Progress goes to stderr: a bar with an estimate on a terminal, plain lines otherwise. At the end
/// cells.jsonl stands in canonical order, whatever the order in which cells finished. Where another
/// process runs in the directory, waits for it. Throws InputError where it cannot be written.
RunSummary run_experiment(const RunRequest& request);

/// All of run_experiment but the solving: afterwards the folder has its manifest and the records
/// that nobody need solve, also those of the cache. If it held records before, the manifest goes on
/// naming the machine that measured them, because this one measures none. Throws as run_experiment
/// does.
RunSummary prepare_run(const RunRequest& request);

/// 130 if interrupted, 3 if a cell failed (is_failure) or could not be measured, otherwise 0.
int exit_code(const RunSummary& summary);

}  // namespace spca

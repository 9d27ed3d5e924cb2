#pragma once

/// Merges the shards of one run as if it had never been divided.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/records/run_seal.h"

namespace spca {

/// Thrown if two runs have different answers under one key, so one of them is wrong. Names
/// both files.
class MergeConflict : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct MergedRuns {
  std::size_t cells = 0;             // number in the whole experiment
  std::size_t failures = 0;          // number among the records found
  std::vector<std::string> missing;  // names of cells that no run has
};

/// Writes a run folder into `output`, which must not hold one. If a cell has two records, the
/// function prefers one that is final, then one that did not end at the time limit, then one that
/// ran alone. If the records differ only in which metrics were measured, the result has the metrics
/// of both. Records from another machine, build or number of threads than the first run's are
/// marked. Throws InputError if `output` holds a run, if the runs have different experiments,
/// options, sources or data, or if a run is still in progress; throws MergeConflict; and throws as
/// require_intact_run does.
MergedRuns merge_runs(const std::vector<std::filesystem::path>& runs,
                      const std::filesystem::path& output, const std::filesystem::path& data_dir,
                      const Json& invocation, Damage damage);

/// Merges the finished cells of a submitted run's tasks (task_files.h) into the run: of two records
/// of a cell the better one stays, as in merge_runs. A task that still runs, or whose folder cannot
/// be read, is left out, and one line on stderr reports it. A run without records of its own takes
/// the machine of the first task. Throws InputError if the run cannot be read, and MergeConflict
/// before any record is changed.
MergedRuns merge_tasks(const std::filesystem::path& run, const std::filesystem::path& data_dir,
                       const Json& invocation);

}  // namespace spca

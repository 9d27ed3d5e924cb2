#pragma once

/// The shards of one run as if it had never been divided.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/records/run_seal.h"

namespace spca {

/// Two runs have different answers under one key: one of them is wrong. Names both files.
class MergeConflict : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct MergedRuns {
  std::size_t cells = 0;             // of the whole experiment
  std::size_t failures = 0;          // among those that are there
  std::vector<std::string> missing;  // names of cells that no run has
};

/// Writes a run folder into `output`, which must not hold one. Of two records of a cell the one
/// that is final, did not end at the time limit and ran alone is taken, in this order. If they differ
/// only in which metrics were measured, it gets those of both. Records of
/// another machine or number of threads than the first run's are marked so. Throws InputError where
/// the runs are of different experiments, options, sources or data, where one is still going on,
/// and MergeConflict; and as require_intact_run does.
MergedRuns merge_runs(const std::vector<std::filesystem::path>& runs,
                      const std::filesystem::path& output, const std::filesystem::path& data_dir,
                      const Json& invocation, Damage damage);

/// Takes into a run that was submitted (task_files.h) what its tasks have finished: of two records of
/// a cell the better one stays, as in merge_runs. A task that still runs, or whose folder cannot be
/// read, is left out, which one line on stderr says. Who measured nothing is not the run's machine:
/// without records of its own the run takes that of the first task. Throws InputError if the run
/// cannot be read, and MergeConflict before anything is changed.
MergedRuns merge_tasks(const std::filesystem::path& run, const std::filesystem::path& data_dir,
                       const Json& invocation);

}  // namespace spca

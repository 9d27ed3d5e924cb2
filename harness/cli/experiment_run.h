#pragma once

/// What `run`, `reproduce` and `table` share: the words of the command line, one run, and finding a
/// run again.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/command.h"
#include "harness/runs/runner.h"

namespace spca::cli {

/// What --force is without a GLOB.
inline constexpr const char* kForceAll = "*";

/// As given; empty where not.
struct RunWords {
  ExperimentOverrides base;  // what holds where no word is given
  std::string profile, jobs, threads, repeats, seed, time_limit, memory_limit, directory,
      maximum_cells;
  std::vector<std::string> settings;                      // "/json/pointer=value"
  std::vector<std::pair<std::string, std::string>> only;  // solver|dataset, glob
  std::string force;  // GLOB; "*" where it was given without one
  std::string shard;
  bool dry_run = false;
  bool no_cache = false;
};

/// --profile, -j, -o, --no-cache.
void declare_profile_and_jobs(Declarations& declare, RunWords& words);

/// Loads the experiment with what the words override.
Experiment load_with(const std::string& experiment, const RunWords& words,
                     const GlobalOptions& global);
/// --set, --max-cells.
void declare_settings(Declarations& declare, RunWords& words);

/// The number of -j; 1 if it is not given.
int jobs_from(const std::string& jobs);

/// Throws InputError that opens with the option's name.
ExperimentOverrides overrides_from(const RunWords& words);

/// One run of an experiment: where it lies and how it ended.
struct FinishedRun {
  Experiment experiment;
  std::filesystem::path directory;
  RunSummary summary;
};
/// What the words ask for. `experiment` must outlive it; `directory` empty: default_run_directory.
RunRequest run_request(const Experiment& experiment, const RunWords& words,
                       const std::filesystem::path& directory, const GlobalOptions& global);

/// Loads the experiment and runs it. `directory` empty: default_run_directory. A line with the
/// counts by status goes to stderr.
FinishedRun run_once(const std::string& experiment, const RunWords& words,
                     const std::filesystem::path& directory, const GlobalOptions& global);

/// {"cells", "kept", "reused", "run", "measured", "unmeasured", "by_status": {...}, "interrupted",
/// "seconds"}.
Json summary_json(const RunSummary& summary);

/// A run folder, or the newest run of an experiment under results/runs. A run with --set is another
/// experiment: it is found by its folder only.
std::filesystem::path find_run(const std::string& name_or_directory);

}  // namespace spca::cli

#pragma once

/// What `run`, `reproduce` and `table` share: the arguments of the command line, one run, and finding a
/// run again.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/command.h"
#include "harness/runs/runner.h"

namespace spca::cli {

/// The value of --force without a GLOB.
inline constexpr const char* kForceAll = "*";

/// The arguments as given; empty if not given.
struct RunArguments {
  ExperimentOverrides base;  // what holds if no word is given
  std::string profile, jobs, threads, repeats, seed, time_limit, memory_limit, directory,
      maximum_cells;
  std::vector<std::string> settings;                      // "/json/pointer=value"
  std::vector<std::pair<std::string, std::string>> only;  // solver|dataset, glob
  std::string force;                                      // GLOB; "*" if it was given without one
  std::string shard;
  bool dry_run = false;
  bool no_cache = false;
  bool quiet = false;  // no progress and no summary on stderr
};

/// --profile, -j, -o, --no-cache.
void declare_profile_and_jobs(Declarations& declare, RunArguments& arguments);

/// Loads the experiment with the overrides of the arguments.
Experiment load_with(const std::string& experiment, const RunArguments& arguments,
                     const GlobalOptions& global);
/// --set, --max-cells.
void declare_settings(Declarations& declare, RunArguments& arguments);

/// -q.
void declare_quiet(Declarations& declare, RunArguments& arguments);

/// --threads, --only, --repeats, --seed, --time-limit, --memory-limit, and as declare_settings.
void declare_cell_words(Declarations& declare, RunArguments& arguments);

/// The number of -j; 1 if it is not given.
int jobs_from(const std::string& jobs);

/// Throws InputError that opens with the option's name.
ExperimentOverrides overrides_from(const RunArguments& arguments);

/// One run of an experiment: its folder and how it ended.
struct FinishedRun {
  Experiment experiment;
  std::filesystem::path directory;
  RunSummary summary;
};
/// Returns the request that the arguments ask for. `experiment` must outlive it. If `directory` is
/// empty, default_run_directory decides.
RunRequest run_request(const Experiment& experiment, const RunArguments& arguments,
                       const std::filesystem::path& directory, const GlobalOptions& global);

/// Loads the experiment and runs it. If `directory` is empty, default_run_directory decides. A line
/// with the counts by status goes to stderr, unless the arguments are quiet. `progress`: RunRequest::progress.
FinishedRun run_once(const std::string& experiment, const RunArguments& arguments,
                     const std::filesystem::path& directory, const GlobalOptions& global,
                     Progress* progress = nullptr);

/// One line on stderr: counts by status, time and folder; a second one if cells were not measured.
void say_summary(const std::string& experiment, const RunSummary& summary,
                 const std::filesystem::path& directory);

/// Returns {"cells", "kept", "reused", "run", "measured", "unmeasured", "by_status": {...}, "interrupted",
/// "seconds"}.
Json summary_json(const RunSummary& summary);

/// Returns a run folder, given the folder, or the name or the file of an experiment, whose newest
/// run under results/runs it then is. A run with --set is another experiment: it is found by its
/// folder only.
std::filesystem::path find_run(const std::string& run);

/// The newest run of every experiment below results/runs that was run without --set, in the order of
/// the experiments' names.
std::vector<std::filesystem::path> newest_runs();
/// Whether a run's folder holds a record.
bool has_record(const std::filesystem::path& run);

/// Declares --force of a command that reads a run.
void declare_force(Declarations& declare, bool& force);
/// What --force says.
Damage damage_from(bool force);

}  // namespace spca::cli

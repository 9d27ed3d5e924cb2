#pragma once

/// The arguments that `run`, `reproduce` and other commands of experiments share, and a run with
/// these arguments.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/command.h"
#include "harness/runs/finished_run.h"

namespace spca::cli {

/// The value of --force without a GLOB.
inline constexpr const char* kForceAll = "*";

/// The arguments as text; empty if not given.
struct RunArguments {
  ExperimentOverrides base;  // the overrides to which those of the arguments are added
  std::string profile, jobs, threads, repeats, seed, time_limit, memory_limit, directory,
      maximum_cells;
  std::vector<std::string> settings;                      // "/json/pointer=value"
  std::vector<std::string> also;                          // solvers that join the grids
  std::vector<std::pair<std::string, std::string>> only;  // solver|dataset, glob
  std::string force;                                      // GLOB; "*" if it was given without one
  std::string shard;
  bool dry_run = false;
  bool no_cache = false;
  bool quiet = false;  // no progress and no summary on stderr
};

/// Declares --profile, -j, -o and --no-cache.
void declare_profile_and_jobs(Declarations& declare, RunArguments& arguments);

/// Loads the experiment with the overrides of the arguments.
Experiment load_with(const std::string& experiment, const RunArguments& arguments,
                     const GlobalOptions& global);
/// Declares --set, --max-cells and --also.
void declare_settings(Declarations& declare, RunArguments& arguments);

/// Declares -q.
void declare_quiet(Declarations& declare, RunArguments& arguments);

/// Declares --threads, --only, --repeats, --seed, --time-limit, --memory-limit, and the options of
/// declare_settings().
void declare_cell_words(Declarations& declare, RunArguments& arguments);

/// Returns the number given by -j; 1 if it is not given. Throws InputError if the text is no number
/// from 1 to 4096.
int jobs_from(const std::string& jobs);

/// Returns the overrides that the arguments give. Throws InputError that begins with the name of
/// the option.
ExperimentOverrides overrides_from(const RunArguments& arguments);

/// Returns the request that the arguments describe. `experiment` must outlive it. If `directory` is
/// empty, default_run_directory decides.
RunRequest run_request(const Experiment& experiment, const RunArguments& arguments,
                       const std::filesystem::path& directory, const GlobalOptions& global);

/// Loads the experiment and runs it. If `directory` is empty, default_run_directory decides. Prints
/// the lines of say_summary(), unless the arguments are quiet. `progress` is that of RunRequest.
FinishedRun run_once(const std::string& experiment, const RunArguments& arguments,
                     const std::filesystem::path& directory, const GlobalOptions& global,
                     Progress* progress = nullptr);

/// Prints one line on stderr with counts by status, time and folder. Further lines say why cells
/// were not measured, name cells without an answer, and point to `spca table` if there are more of
/// these.
void say_summary(const std::string& experiment, const RunSummary& summary,
                 const std::filesystem::path& directory);

/// Declares --force of a command that reads a run.
void declare_force(Declarations& declare, bool& force);
/// Returns how a damaged run is treated, given the value of --force.
Damage damage_from(bool force);

}  // namespace spca::cli

#include "harness/cli/experiment_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/cells/instruction_counter.h"
#include "harness/cli/arguments.h"
#include "harness/experiments/solver_choice.h"
#include "harness/runs/cell_cache.h"
#include "harness/runs/foreign_folder.h"
#include "spca/base/error.h"
#include "spca/base/standard_error.h"
#include "spca/data/data_folder.h"
#include "spca/measure/judge.h"
#include "spca/measure/metrics.h"

namespace spca::cli {
namespace {

namespace fs = std::filesystem;

int count_or_one(const char* option, const std::string& text) {
  constexpr Index kMostCounted = 4096;  // far beyond any machine; guards against a mistyped number
  const Index count = text.empty() ? 1 : parse_whole(option, text, 1);
  if (count > kMostCounted) {
    throw InputError(fmt::format("{}: found {}; accepted: 1 to {}", option, count, kMostCounted));
  }
  return static_cast<int>(count);
}

std::string counts_text(const RunSummary& summary) {
  std::vector<std::string> counts;
  for (const auto& [status, count] : summary.by_status) {
    counts.push_back(fmt::format("{} {}", count, status_name(status)));
  }
  return counts.empty() ? "none finished" : join(counts);
}

/// Prints why instructions cannot be counted on this machine, if a metric needs them. That metric
/// is null in every record.
void say_what_is_not_counted(const Experiment& experiment) {
  const bool is_wanted = std::any_of(
      experiment.variants.begin(), experiment.variants.end(), [](const Variant& variant) {
        return any_metric(variant.metrics, &MetricTraits::needs_instructions);
      });
  const std::string why = is_wanted ? why_no_instructions() : "";
  if (!why.empty()) {
    say("spca: instructions are not counted: {}", why);
  }
}

}  // namespace

void declare_profile_and_jobs(Declarations& declare, RunArguments& arguments) {
  declare.option("--profile NAME", arguments.profile,
                 "Profile of the experiment: smoke or full (default).");
  declare.option("-j,--jobs N", arguments.jobs, "Number of cells that run at a time (default 1).");
  declare.option("-o,--output FOLDER", arguments.directory,
                 "Folder of the run (default: one below results/runs).");
  declare.flag("--no-cache", arguments.no_cache,
               "Neither take records from the cache of cells nor add any to it.");
}

void declare_settings(Declarations& declare, RunArguments& arguments) {
  declare.repeatable(
      "--set POINTER=VALUE", arguments.settings,
      "Set a value of the experiment, located by a JSON pointer such as /grids/spiked/repeats.");
  declare.option(
      "--max-cells N", arguments.maximum_cells,
      "Largest number of cells, instead of the experiment's maximum_cells (default 1000000).");
  declare.repeatable("--also SOLVER", arguments.also,
                     "Add a solver to every grid that takes it: a registered one, peers/NAME, or "
                     "the file of a peer, such as ./mine.json. Options follow in brackets, as in "
                     "'search[rounds=1000]'.");
}

void declare_quiet(Declarations& declare, RunArguments& arguments) {
  declare.flag("-q,--quiet", arguments.quiet,
               "Print no progress and no summary on standard error.");
}

void declare_cell_words(Declarations& declare, RunArguments& arguments) {
  declare.option("--threads N", arguments.threads,
                 "Number of threads that each solve may use (default 1).");
  declare_settings(declare, arguments);
  declare.repeatable(
      "--only KIND GLOB", arguments.only,
      "Run only the cells whose solver or dataset (KIND) has a name that matches GLOB.");
  declare.option("--repeats N", arguments.repeats,
                 "Number of repeats, instead of the experiment's.");
  declare.option("--seed N", arguments.seed,
                 "Seed of all random numbers, instead of the experiment's.");
  declare.option("--time-limit SECONDS", arguments.time_limit, "Time limit of each cell.");
  declare.option("--memory-limit MB", arguments.memory_limit, "Memory limit of each cell.");
}

int jobs_from(const std::string& jobs) { return count_or_one("-j", jobs); }

ExperimentOverrides overrides_from(const RunArguments& arguments) {
  ExperimentOverrides overrides = arguments.base;
  if (!arguments.profile.empty()) {
    overrides.profile = arguments.profile;
  }
  if (!arguments.repeats.empty()) {
    overrides.repeats = parse_whole("--repeats", arguments.repeats, 1);
  }
  if (!arguments.seed.empty()) {
    overrides.seed = parse_seed("--seed", arguments.seed);
  }
  if (!arguments.time_limit.empty()) {
    overrides.time_limit = parse_positive("--time-limit", arguments.time_limit);
  }
  if (!arguments.memory_limit.empty()) {
    overrides.memory_limit = parse_positive("--memory-limit", arguments.memory_limit);
  }
  if (!arguments.maximum_cells.empty()) {
    overrides.maximum_cells = parse_whole("--max-cells", arguments.maximum_cells, 1);
  }
  if (!arguments.settings.empty()) {
    overrides.settings = arguments.settings;
  }
  for (const std::string& name : arguments.also) {
    // The run's manifest must hold a path of the peer's file that is valid in any working folder.
    overrides.also.push_back(with_absolute_path(name));
  }
  for (const auto& [kind, glob] : arguments.only) {
    if (kind != "solver" && kind != "dataset") {
      throw InputError(fmt::format("--only: found \"{}\"{}; accepted: solver GLOB, dataset GLOB",
                                   kind, did_you_mean(kind, {"solver", "dataset"})));
    }
    (kind == "solver" ? overrides.only_solvers : overrides.only_datasets).push_back(glob);
  }
  return overrides;
}

Experiment load_with(const std::string& experiment, const RunArguments& arguments,
                     const GlobalOptions& global) {
  return load_experiment(find_experiment(experiment), overrides_from(arguments),
                         data_directory(global.data_dir));
}

RunRequest run_request(const Experiment& experiment, const RunArguments& arguments,
                       const fs::path& directory, const GlobalOptions& global) {
  // CLI11 would treat `--force=` as --force alone.
  if (std::find(global.arguments.begin(), global.arguments.end(), "--force=") !=
      global.arguments.end()) {
    throw InputError("--force: found \"\"; accepted: --force, or --force=GLOB");
  }
  if (!directory.empty()) {
    refuse_foreign_folder(directory);
  }
  RunRequest request;
  request.experiment = &experiment;
  request.data_dir = data_directory(global.data_dir);
  request.jobs = jobs_from(arguments.jobs);
  request.threads = count_or_one("--threads", arguments.threads);
  request.shard = arguments.shard.empty() ? Shard() : parse_shard(arguments.shard);
  request.directory =
      directory.empty() ? default_run_directory(experiment, request.shard) : directory;
  request.force = !arguments.force.empty();
  request.force_glob = arguments.force == kForceAll ? "" : arguments.force;
  request.cache_dir = arguments.no_cache ? fs::path() : cache_directory();
  request.quiet = arguments.quiet;
  request.invocation = {{"arguments", global.arguments}};
  return request;
}

void say_summary(const std::string& experiment, const RunSummary& summary,
                 const fs::path& directory) {
  say("{}: {} cells, {} kept from before, {} from the cache, {} run{}: {}; {:.1f} s; {}",
      experiment, summary.cells, summary.kept, summary.reused, summary.run,
      summary.measured == 0 ? "" : fmt::format(", {} only measured", summary.measured),
      counts_text(summary), summary.seconds, directory.string());
  if (summary.unmeasured > 0) {
    say("spca: {} cells could not be measured again: {}", summary.unmeasured,
        summary.why_unmeasured);
  }
  for (const std::string& cell : summary.without_answer) {
    say("spca: {}", cell);
  }
  const auto skipped = summary.by_status.find(Status::kSkipped);
  const std::size_t without_answer =
      summary.failures + (skipped == summary.by_status.end() ? 0 : skipped->second);
  if (without_answer > summary.without_answer.size()) {
    say("spca: `spca table {}` has the reason of every cell without an answer", directory.string());
  }
}

FinishedRun run_once(const std::string& experiment, const RunArguments& arguments,
                     const fs::path& directory, const GlobalOptions& global, Progress* progress) {
  FinishedRun finished;
  finished.experiment = load_with(experiment, arguments, global);
  say_what_is_not_counted(finished.experiment);
  RunRequest request = run_request(finished.experiment, arguments, directory, global);
  request.progress = progress;
  finished.directory = request.directory;
  finished.summary = run_experiment(request);
  const RunSummary& summary = finished.summary;
  if (progress != nullptr) {
    progress->clear();
  }
  if (!arguments.quiet) {
    say_summary(finished.experiment.name, summary, finished.directory);
  }
  return finished;
}

void declare_force(Declarations& declare, bool& force) {
  declare.flag("--force", force,
               "Read a run that was changed, or that an older version wrote, as far as possible.");
}

Damage damage_from(bool force) { return force ? Damage::kTolerated : Damage::kRefused; }

}  // namespace spca::cli

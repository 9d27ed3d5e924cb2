#include "spca/cli/experiment_run.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "spca/cli/arguments.h"
#include "spca/error.h"

namespace spca::cli {
namespace {

namespace fs = std::filesystem;

int count_or_one(const char* option, const std::string& text) {
  constexpr Index kMost = 4096;  // far beyond any machine; guards against a mistyped number
  const Index count = text.empty() ? 1 : parse_whole(option, text, 1);
  if (count > kMost) {
    throw InputError(fmt::format("{}: found {}; accepted: 1 to {}", option, count, kMost));
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

}  // namespace

void declare_profile_and_jobs(Declarations& declare, RunWords& words) {
  declare.option("--profile", words.profile, "smoke, or full (default)");
  declare.option("-j,--jobs", words.jobs, "cells at a time (default 1)");
  declare.option("-o,--output", words.directory, "folder of the run (default: below results/runs)");
}

ExperimentOverrides overrides_from(const RunWords& words) {
  ExperimentOverrides overrides = words.base;
  if (!words.profile.empty()) {
    overrides.profile = words.profile;
  }
  if (!words.repeats.empty()) {
    overrides.repeats = parse_whole("--repeats", words.repeats, 1);
  }
  if (!words.seed.empty()) {
    overrides.seed = parse_seed("--seed", words.seed);
  }
  if (!words.time_limit.empty()) {
    overrides.time_limit = parse_positive("--time-limit", words.time_limit);
  }
  if (!words.memory_limit.empty()) {
    overrides.memory_limit = parse_positive("--memory-limit", words.memory_limit);
  }
  for (const auto& [kind, glob] : words.only) {
    if (kind != "solver" && kind != "dataset") {
      throw InputError(fmt::format("--only: found \"{}\"{}; accepted: solver GLOB, dataset GLOB",
                                   kind, did_you_mean(kind, {"solver", "dataset"})));
    }
    (kind == "solver" ? overrides.only_solvers : overrides.only_datasets).push_back(glob);
  }
  return overrides;
}

FinishedRun run_once(const std::string& experiment, const RunWords& words,
                     const fs::path& directory, const GlobalOptions& global) {
  const fs::path data_dir = data_directory(global.data_dir);
  const ExperimentOverrides overrides = overrides_from(words);
  const int jobs = count_or_one("-j", words.jobs);
  const int threads = count_or_one("--threads", words.threads);
  FinishedRun finished;
  finished.experiment = load_experiment(find_experiment(experiment), overrides, data_dir);
  finished.directory = directory.empty() ? default_run_directory(finished.experiment) : directory;
  RunRequest request;
  request.experiment = &finished.experiment;
  request.directory = finished.directory;
  request.data_dir = data_dir;
  request.jobs = jobs;
  request.threads = threads;
  request.force = words.force;
  request.dry_run = words.dry_run;
  request.invocation = {{"arguments", global.arguments}};
  finished.summary = run_experiment(request);
  const RunSummary& summary = finished.summary;
  fmt::print(stderr, "{}: {} cells, {} kept from before, {} {}: {}; {:.1f} s; {}\n",
             finished.experiment.name, summary.cells, summary.kept,
             words.dry_run ? summary.cells - summary.kept : summary.run,
             words.dry_run ? "to run" : "run", counts_text(summary), summary.seconds,
             finished.directory.string());
  return finished;
}

Json summary_json(const RunSummary& summary) {
  Json by_status = Json::object();
  for (const auto& [status, count] : summary.by_status) {
    by_status[status_name(status)] = count;
  }
  return {{"cells", summary.cells},
          {"kept", summary.kept},
          {"run", summary.run},
          {"by_status", by_status},
          {"interrupted", summary.interrupted},
          {"seconds", summary.seconds}};
}

fs::path find_run(const std::string& name_or_directory) {
  if (fs::is_directory(name_or_directory) &&
      fs::exists(fs::path(name_or_directory) / "cells.jsonl")) {
    return name_or_directory;
  }
  const fs::path runs = fs::path("results") / "runs" / name_or_directory;
  fs::path newest;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(runs, error)) {
    const fs::path cells = entry.path() / "cells.jsonl";
    if (fs::exists(cells) && (newest.empty() || fs::last_write_time(cells) >
                                                    fs::last_write_time(newest / "cells.jsonl"))) {
      newest = entry.path();
    }
  }
  if (newest.empty()) {
    throw InputError(fmt::format(
        "RUN: found \"{}\"{}; accepted: a run folder (it holds cells.jsonl), or an experiment that "
        "was run below results/runs",
        name_or_directory, did_you_mean(name_or_directory, experiment_names())));
  }
  return newest;
}

}  // namespace spca::cli

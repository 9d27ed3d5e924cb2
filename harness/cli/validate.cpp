#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "harness/answers/descriptions.h"
#include "harness/cli/command.h"
#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/experiments/experiment.h"
#include "harness/experiments/experiment_claims.h"
#include "harness/runs/find_run.h"
#include "harness/verdicts/published.h"
#include "spca/data/data_folder.h"
#include "spca/io/json_file.h"

namespace spca::cli {
namespace {

/// Throws InputError for the first known difference of the experiment that no longer applies to the
/// run (stale_differences()).
void refuse_stale(const std::filesystem::path& path, const std::string& run,
                  const std::filesystem::path& data_dir) {
  const Experiment experiment = load_experiment(path, {}, data_dir);
  const std::vector<Record> records = read_records(find_run(run) / "cells.jsonl");
  const std::vector<const KnownDifference*> stale =
      stale_differences(experiment, compare_with_published(experiment, records));
  if (!stale.empty()) {
    read_json_file(path).fail(
        fmt::format("/known_differences/{}", stale.front() - experiment.known_differences.data()),
        fmt::format("found no number of {} that it explains; accepted: a difference in whose "
                    "direction and range a number of the run lies",
                    run));
  }
}

int validate(const std::string& name, const RunArguments& arguments, const std::string& run,
             bool as_json, const GlobalOptions& global) {
  const std::filesystem::path path = find_experiment(name);
  const std::vector<std::string> profiles = arguments.profile.empty()
                                                ? experiment_profiles(path)
                                                : std::vector<std::string>{arguments.profile};
  Json json;
  std::string text;
  for (const std::string& profile : profiles) {
    ExperimentOverrides overrides = overrides_from(arguments);
    overrides.profile = profile;
    const Experiment experiment = load_experiment(path, overrides, data_directory(global.data_dir));
    check_measurements(path, profile);
    const std::size_t cells = experiment.cells().size();
    text += fmt::format("{}: valid; profile {}: {} cells, {} published numbers, {} claims\n",
                        experiment.name, profile, cells, experiment.published.size(),
                        experiment.claims.size());
    json["name"] = experiment.name;
    json["profiles"][profile] = {{"cells", cells},
                                 {"variants", experiment.variants.size()},
                                 {"published", experiment.published.size()},
                                 {"claims", experiment.claims.size()}};
  }
  if (!run.empty()) {
    refuse_stale(path, run, data_directory(global.data_dir));
  }
  as_json ? write_json(json) : write_stdout(text);
  return kExitOk;
}

std::function<int()> declare_validate(Declarations& declare, const GlobalOptions& global) {
  struct Options {
    std::string name;
    std::string run;
    RunArguments arguments;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  declare.positional("EXPERIMENT", options->name, "File or name of an experiment.");
  declare.option("--profile NAME", options->arguments.profile, "Check only this profile.");
  declare.option("--run RUN", options->run,
                 "A finished run. Each known difference must explain a number of it.");
  declare_settings(declare, options->arguments);
  declare.flag("--json", options->json, "Print the counts as JSON.");
  return [options, &global] {
    return validate(options->name, options->arguments, options->run, options->json, global);
  };
}

SPCA_COMMAND("validate", CommandGroup::kExperiments,
             "Check the file of an experiment in all its profiles without running it",
             "  spca validate quickstart\n"
             "  spca validate quickstart --run results/runs/quickstart/full\n"
             "  spca validate my/experiment.json --set /grids/spiked/repeats=20",
             declare_validate);

}  // namespace
}  // namespace spca::cli

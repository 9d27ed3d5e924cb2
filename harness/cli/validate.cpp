#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/command.h"
#include "harness/cli/describe.h"
#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/experiments/experiment.h"
#include "spca/data/data_folder.h"

namespace spca::cli {
namespace {

int validate(const std::string& name, const RunArguments& arguments, bool as_json,
             const GlobalOptions& global) {
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
  as_json ? write_json(json) : write_stdout(text);
  return kExitOk;
}

std::function<int()> declare_validate(Declarations& declare, const GlobalOptions& global) {
  struct Options {
    std::string name;
    RunArguments arguments;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  declare.positional("EXPERIMENT", options->name, "a file or a name");
  declare.option("--profile", options->arguments.profile, "only this one");
  declare_settings(declare, options->arguments);
  declare.flag("--json", options->json, "the counts as JSON");
  return [options, &global] {
    return validate(options->name, options->arguments, options->json, global);
  };
}

SPCA_COMMAND("validate", "Check an experiment's file in all its profiles without running it",
             "  spca validate quickstart\n"
             "  spca validate my/experiment.json --set /grids/spiked/repeats=20",
             declare_validate);

}  // namespace
}  // namespace spca::cli

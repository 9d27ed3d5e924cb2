#include <fmt/format.h>

#include <memory>

#include "spca/cli/command.h"
#include "spca/cli/describe.h"
#include "spca/cli/output.h"
#include "spca/experiment.h"

namespace spca::cli {
namespace {

std::function<int()> declare_validate(Declarations& declare, const GlobalOptions& global) {
  const auto name = std::make_shared<std::string>();
  declare.positional("EXPERIMENT", *name, "a file or a name");
  return [name, &global] {
    const std::filesystem::path path = find_experiment(*name);
    std::string text;
    for (const std::string& profile : experiment_profiles(path)) {
      ExperimentOverrides overrides;
      overrides.profile = profile;
      const Experiment experiment =
          load_experiment(path, overrides, data_directory(global.data_dir));
      text +=
          fmt::format("{}: valid; profile {}: {} cells, {} published numbers\n", experiment.name,
                      profile, experiment.cells().size(), experiment.published.size());
    }
    write_stdout(text);
    return kExitOk;
  };
}

SPCA_COMMAND("validate", "Check an experiment's file in all its profiles without running it",
             "  spca validate quickstart\n  spca validate my/experiment.json", declare_validate);

}  // namespace
}  // namespace spca::cli

#include <memory>
#include <nlohmann/json.hpp>

#include "spca/cli/experiment_run.h"
#include "spca/cli/output.h"

namespace spca::cli {
namespace {

std::function<int()> declare_run(Declarations& declare, const GlobalOptions& global) {
  struct Options {
    std::string experiment;
    RunWords words;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  RunWords& words = options->words;
  declare.positional("EXPERIMENT", options->experiment, "a file or a name");
  declare_profile_and_jobs(declare, words);
  declare.option("--threads", words.threads, "of each solve (default 1)");
  declare.repeatable("--only", words.only, "solver GLOB or dataset GLOB; repeatable");
  declare.option("--repeats", words.repeats, "instead of the experiment's");
  declare.option("--seed", words.seed, "instead of the experiment's");
  declare.option("--time-limit", words.time_limit, "seconds a cell");
  declare.option("--memory-limit", words.memory_limit, "MB a cell");
  declare.flag("--force", words.force, "forget the finished cells of an earlier run");
  declare.flag("--dry-run", words.dry_run, "count the cells, run none");
  declare.flag("--json", options->json, "the summary as JSON; otherwise the run's folder");
  return [options, &global] {
    const FinishedRun run =
        run_once(options->experiment, options->words, options->words.directory, global);
    if (options->json) {
      Json json = {{"experiment", run.experiment.name},
                   {"profile", run.experiment.profile},
                   {"directory", run.directory.string()}};
      json.update(summary_json(run.summary));
      write_json(json);
    } else {
      write_stdout(run.directory.string() + "\n");
    }
    return options->words.dry_run ? kExitOk : exit_code(run.summary);
  };
}

SPCA_COMMAND("run", "Run the cells of an experiment that are not yet finished",
             "  spca run quickstart\n"
             "  spca run spannogram/spiked --profile smoke -j 2 --only solver 'tp*'",
             declare_run);

}  // namespace
}  // namespace spca::cli

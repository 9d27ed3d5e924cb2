#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/submissions/task_files.h"
#include "spca/data/data_folder.h"

namespace spca::cli {
namespace {

int run_task(const std::string& chunk, const GlobalOptions& global) {
  LoadedTask task = load_task(chunk, data_directory(global.data_dir));
  task.request.experiment = &task.experiment;
  task.request.invocation = {{"arguments", global.arguments}};
  const RunSummary summary = run_experiment(task.request);
  say_summary(task.experiment.name, summary, task.request.directory);
  write_stdout(task.request.directory.string() + "\n");
  return exit_code(summary);
}

std::function<int()> declare_task(Declarations& declare, const GlobalOptions& global) {
  const auto chunk = std::make_shared<std::string>();
  declare.positional("CHUNK", *chunk, "File chunk-N.json of a submission.");
  return [chunk, &global] { return run_task(*chunk, global); };
}

SPCA_COMMAND("task", CommandGroup::kExperiments,
             "Run one task of `spca submit`, as its job scripts do",
             "  spca task results/runs/quickstart/full/slurm/1/chunk-1.json", declare_task);

}  // namespace
}  // namespace spca::cli

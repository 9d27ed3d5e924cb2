#include "harness/submissions/run_merge.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/runs/find_run.h"
#include "harness/runs/foreign_folder.h"
#include "harness/submissions/task_files.h"
#include "spca/base/standard_error.h"
#include "spca/data/data_folder.h"
#include "spca/data/dataset.h"

namespace spca::cli {
namespace {

struct MergeOptions {
  std::vector<std::string> runs;
  std::string directory;
  bool json = false;
  bool force = false;
  bool tasks = false;
};

MergedRuns merge_parts(const MergeOptions& options, const GlobalOptions& global) {
  if (options.directory.empty()) {
    throw InputError("--output: missing; accepted: -o with a new folder, or --tasks");
  }
  refuse_foreign_folder(options.directory);
  std::vector<std::filesystem::path> runs;
  for (const std::string& run : options.runs) {
    runs.push_back(find_run(run));
  }
  return merge_runs(runs, options.directory, data_directory(global.data_dir),
                    {{"arguments", global.arguments}}, damage_from(options.force));
}

/// `directory` is the folder of the run.
MergedRuns merge_own_tasks(const MergeOptions& options, const GlobalOptions& global,
                           std::string& directory) {
  if (options.runs.size() != 1 || !options.directory.empty() || options.force) {
    throw InputError("--tasks: accepted: one RUN, without -o and --force");
  }
  directory = find_run(options.runs.front()).string();
  if (submissions_of(directory).empty()) {
    throw InputError(
        fmt::format("--tasks: {} was not submitted; accepted: a run of `spca submit`", directory));
  }
  return merge_tasks(directory, data_directory(global.data_dir), {{"arguments", global.arguments}});
}

int merge(const MergeOptions& options, const GlobalOptions& global) {
  std::string directory = options.directory;
  MergedRuns merged;
  try {
    merged =
        options.tasks ? merge_own_tasks(options, global, directory) : merge_parts(options, global);
  } catch (const MergeConflict& conflict) {
    say("spca: error: {}", conflict.what());
    return kExitNotComparable;
  }
  if (options.json) {
    write_json({{"directory", directory},
                {"cells", merged.cells},
                {"failures", merged.failures},
                {"missing", merged.missing}});
  } else {
    std::string text = directory + "\n";
    for (const std::string& cell : merged.missing) {
      text += "missing: " + cell + "\n";
    }
    write_stdout(text);
  }
  say("{} of {} cells merged, {} failed, {} missing", merged.cells - merged.missing.size(),
      merged.cells, merged.failures, merged.missing.size());
  if (!merged.missing.empty()) {
    return kExitNotComparable;
  }
  return merged.failures > 0 ? kExitFailed : kExitOk;
}

std::function<int()> declare_merge(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<MergeOptions>();
  declare.positional("RUN", options->runs, "Folders of runs, the shards of one experiment.");
  declare.option("-o,--output FOLDER", options->directory, "New folder for the whole run.");
  declare.flag("--tasks", options->tasks,
               "Add the finished cells of the Slurm tasks of RUN to it, after `spca submit`.");
  declare.flag("--json", options->json, "Print the counts and the missing cells as JSON.");
  declare_force(declare, options->force);
  return [options, &global] { return merge(*options, global); };
}

SPCA_COMMAND("merge", CommandGroup::kExperiments,
             "Join the shards of one experiment; exit code 5 if cells are missing",
             "  spca merge shard-1 shard-2 -o whole\n"
             "  spca merge quickstart --tasks",
             declare_merge);

}  // namespace
}  // namespace spca::cli

#include "harness/runs/run_merge.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "spca/data/data_folder.h"
#include "spca/data/dataset.h"

namespace spca::cli {
namespace {

struct MergeOptions {
  std::vector<std::string> runs;
  std::string directory;
  bool json = false;
  bool force = false;
};

int merge(const MergeOptions& options, const GlobalOptions& global) {
  std::vector<std::filesystem::path> runs;
  for (const std::string& run : options.runs) {
    runs.push_back(find_run(run));
  }
  MergedRuns merged;
  try {
    merged = merge_runs(runs, options.directory, data_directory(global.data_dir),
                        {{"arguments", global.arguments}}, damage_from(options.force));
  } catch (const MergeConflict& conflict) {
    fmt::print(stderr, "spca: error: {}\n", conflict.what());
    return kExitNotComparable;
  }
  if (options.json) {
    write_json({{"directory", options.directory},
                {"cells", merged.cells},
                {"failures", merged.failures},
                {"missing", merged.missing}});
  } else {
    std::string text = options.directory + "\n";
    for (const std::string& cell : merged.missing) {
      text += "missing: " + cell + "\n";
    }
    write_stdout(text);
  }
  fmt::print(stderr, "{} of {} cells merged, {} failed, {} missing\n",
             merged.cells - merged.missing.size(), merged.cells, merged.failures,
             merged.missing.size());
  if (!merged.missing.empty()) {
    return kExitNotComparable;
  }
  return merged.failures > 0 ? kExitFailed : kExitOk;
}

std::function<int()> declare_merge(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<MergeOptions>();
  declare.positional("RUN", options->runs, "run folders: the shards of one experiment");
  declare.required_option("-o,--output", options->directory, "the folder of the whole run, new");
  declare.flag("--json", options->json, "counts and missing cells as JSON");
  declare_force(declare, options->force);
  return [options, &global] { return merge(*options, global); };
}

SPCA_COMMAND("merge", "Join the shards of one experiment; exit code 5 where cells are missing",
             "  spca merge shard-1 shard-2 -o whole", declare_merge);

}  // namespace
}  // namespace spca::cli

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/comparison_json.h"
#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/verdicts/comparison_tables.h"

namespace spca::cli {
namespace {

/// What was changed of the experiment stands beside its verdicts.
std::string settings_text(const std::vector<std::string>& settings) {
  return settings.empty() ? "" : fmt::format(" (--set {})", join(settings, " --set "));
}

struct ReproduceOptions {
  std::string name;
  RunArguments arguments;
  bool json = false;
};

int reproduce(const ReproduceOptions& options, const GlobalOptions& global) {
  const bool all = options.name == "all";
  const std::vector<std::string> names =
      all ? experiment_names() : std::vector<std::string>{options.name};
  const std::filesystem::path base = options.arguments.directory;
  Tally overall;
  Json experiments = Json::array();
  for (const std::string& name : names) {
    const std::filesystem::path directory = base.empty() || !all ? base : base / name;
    const FinishedRun run = run_once(name, options.arguments, directory, global);
    const std::vector<PublishedComparison> comparisons =
        compare_with_published(run.experiment, read_records(run.directory / "cells.jsonl"));
    Tally tally;
    tally.add(comparisons);
    overall.add(comparisons);
    overall.has_failed = overall.has_failed || spca::exit_code(run.summary) == kExitFailed;
    overall.interrupted = overall.interrupted || run.summary.interrupted;
    if (options.json) {
      Json list = Json::array();
      std::transform(comparisons.begin(), comparisons.end(), std::back_inserter(list),
                     comparison_json);
      experiments.push_back({{"name", run.experiment.name},
                             {"title", run.experiment.title},
                             {"profile", run.experiment.profile},
                             {"directory", run.directory.string()},
                             {"set", options.arguments.settings},
                             {"run", summary_json(run.summary)},
                             {"verdicts", tally.json()},
                             {"comparisons", list}});
    } else {
      for (const Table& table : comparison_tables(run.experiment, comparisons)) {
        write_stdout(render(table, TableFormat::kText) + "\n");
      }
      write_stdout(fmt::format("{}{}: {}\n", run.experiment.name,
                               settings_text(options.arguments.settings), tally.text()));
    }
    if (overall.interrupted) {
      break;
    }
  }
  if (options.json) {
    write_json({{"experiments", experiments},
                {"verdicts", overall.json()},
                {"exit_code", overall.exit_code()}});
  } else if (all) {
    write_stdout(fmt::format("all: {}\n", overall.text()));
  }
  return overall.exit_code();
}

std::function<int()> declare_reproduce(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<ReproduceOptions>();
  declare.positional("NAME", options->name, "an experiment, or all");
  declare_profile_and_jobs(declare, options->arguments);
  declare_settings(declare, options->arguments);
  declare.flag("--json", options->json, "every comparison as JSON");
  return [options, &global] { return reproduce(*options, global); };
}

SPCA_COMMAND("reproduce",
             "Run what is not yet run, then print every published number with ours beside it",
             "  spca reproduce quickstart\n  spca reproduce all --profile smoke -j 2",
             declare_reproduce);

}  // namespace
}  // namespace spca::cli

#include <fmt/format.h>

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

/// What the records of a run say.
struct Judged {
  std::vector<PublishedComparison> comparisons;
  std::vector<JudgedClaim> claims;
  Tally tally;
};

/// `run` must outlive the result.
Judged judge(const FinishedRun& run) {
  const std::vector<Record> records = read_records(run.directory / "cells.jsonl");
  Judged judged{.comparisons = compare_with_published(run.experiment, records),
                .claims = judge_claims(run.experiment, records),
                .tally = {}};
  judged.tally.add(run.experiment, judged.comparisons, judged.claims);
  judged.tally.has_failed = spca::exit_code(run.summary) == kExitFailed;
  judged.tally.interrupted = run.summary.interrupted;
  return judged;
}

Json experiment_json(const FinishedRun& run, const Judged& judged,
                     const std::vector<std::string>& settings) {
  Json comparisons = Json::array();
  for (const PublishedComparison& comparison : judged.comparisons) {
    comparisons.push_back(comparison_json(run.experiment, comparison));
  }
  Json claims = Json::array();
  for (const JudgedClaim& claim : judged.claims) {
    claims.push_back(claim_json(claim));
  }
  return {{"name", run.experiment.name},
          {"title", run.experiment.title},
          {"profile", run.experiment.profile},
          {"directory", run.directory.string()},
          {"set", settings},
          {"run", summary_json(run.summary)},
          {"verdicts", judged.tally.json()},
          {"comparisons", comparisons},
          {"claims", claims},
          {"stale_differences", stale_lines(run.experiment, judged.comparisons)}};
}

void print(const FinishedRun& run, const Judged& judged, const std::vector<std::string>& settings) {
  std::vector<Table> tables = comparison_tables(run.experiment, judged.comparisons);
  for (const Table& table : claim_tables(judged.claims)) {
    tables.push_back(table);
  }
  for (const Table& table : tables) {
    write_stdout(render(table, TableFormat::kText) + "\n");
  }
  for (const std::string& line : stale_lines(run.experiment, judged.comparisons)) {
    write_stdout(line + "\n");
  }
  write_stdout(
      fmt::format("{}{}: {}\n", run.experiment.name, settings_text(settings), judged.tally.text()));
}

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
    const Judged judged = judge(run);
    overall.add(judged.tally);
    if (options.json) {
      experiments.push_back(experiment_json(run, judged, options.arguments.settings));
    } else {
      print(run, judged, options.arguments.settings);
    }
    if (overall.interrupted) {
      break;
    }
  }
  if (options.json) {
    write_json({{"experiments", experiments},
                {"verdicts", overall.json()},
                {"exit_code", exit_code(overall)}});
  } else if (all) {
    write_stdout(fmt::format("all: {}\n", overall.text()));
  }
  return exit_code(overall);
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

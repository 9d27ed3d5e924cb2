#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/output.h"
#include "harness/cli/reproduction_plan.h"
#include "harness/experiments/papers.h"
#include "harness/pages/judged_run.h"
#include "harness/pages/reproduction_pages.h"
#include "harness/verdicts/comparison_json.h"
#include "harness/verdicts/comparison_tables.h"
#include "spca/base/error.h"
#include "spca/data/data_folder.h"

namespace spca::cli {
namespace {

struct ReproduceOptions {
  std::string name, paper, pages;
  RunArguments arguments;
  bool all = false;
  bool json = false;

  bool is_of_many() const { return all || !paper.empty(); }
};

void check(const ReproduceOptions& options) {
  const int ways =
      (options.name.empty() ? 0 : 1) + (options.paper.empty() ? 0 : 1) + (options.all ? 1 : 0);
  if (ways != 1) {
    throw InputError(fmt::format(
        "reproduce: found {} of EXPERIMENT, --paper and --all; accepted: one of them", ways));
  }
  if (!options.pages.empty() && !options.arguments.settings.empty()) {
    throw InputError("--pages: found --set, too; accepted: experiments as they are");
  }
  if (!options.pages.empty()) {
    require_pages_folder(options.pages);
  }
}

/// Returns the changes to the experiment, which are shown beside its verdicts.
std::string settings_text(const std::vector<std::string>& settings) {
  return settings.empty() ? "" : fmt::format(" (--set {})", join(settings, " --set "));
}

void print_one(const JudgedRun& judged, const ReproduceOptions& options) {
  for (const Table& table : verdict_tables(judged)) {
    write_stdout(render(table, TableFormat::kText) + "\n");
  }
  for (const std::string& line : stale_lines(judged.run->experiment, judged.comparisons)) {
    write_stdout(line + "\n");
  }
  write_stdout(fmt::format("{}{}: {}\n", judged.run->experiment.name,
                           settings_text(options.arguments.settings), judged.tally.text()));
}

/// Prints a line for each experiment, in the order in which they were run, and the sums.
void print_many(const std::vector<JudgedRun>& runs, const Tally& overall,
                const ReproduceOptions& options) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(runs.size());
  for (const JudgedRun& judged : runs) {
    rows.push_back({judged.run->experiment.name, format_duration(judged.run->summary.seconds),
                    judged.tally.text()});
  }
  write_stdout(aligned(rows) +
               fmt::format("{}: {}\n", options.all ? "all" : options.paper, overall.text()));
}

/// Runs the experiments, cheapest first, with one progress for all; stops if interrupted.
std::vector<JudgedRun> run_many(const ReproduceOptions& options, const GlobalOptions& global) {
  const std::vector<PlannedRun> planned =
      plan_reproduction(experiments_of(options.paper), options.arguments, global);
  std::size_t later = 0;
  double seconds_later = 0;
  for (const PlannedRun& run : planned) {
    later += run.cells;
    seconds_later += run.seconds;
  }
  Progress progress(later, "cells", options.arguments.quiet);
  std::vector<JudgedRun> judged;
  for (const PlannedRun& run : planned) {
    later -= run.cells;
    seconds_later -= run.seconds;
    progress.expect_later(later, std::max(seconds_later, 0.0));
    judged.push_back(
        judge_run(run_once(run.name, options.arguments, run.directory, global, &progress)));
    if (judged.back().tally.interrupted) {
      break;
    }
  }
  progress.finish();
  return judged;
}

int reproduce(const ReproduceOptions& options, const GlobalOptions& global) {
  check(options);
  std::vector<JudgedRun> runs;
  if (options.is_of_many()) {
    runs = run_many(options, global);
  } else {
    runs.push_back(
        judge_run(run_once(options.name, options.arguments, options.arguments.directory, global)));
  }
  Tally overall;
  for (const JudgedRun& judged : runs) {
    overall.add(judged.tally);
  }
  if (!options.pages.empty() && !overall.interrupted) {
    write_reproduction_pages(options.pages, runs, data_directory(global.data_dir));
  }
  if (options.json) {
    Json experiments = Json::array();
    for (const JudgedRun& judged : runs) {
      experiments.push_back(judged_run_json(judged, options.arguments.settings));
    }
    write_json({{"experiments", experiments},
                {"verdicts", overall.json()},
                {"exit_code", exit_code(overall)}});
  } else if (options.is_of_many()) {
    print_many(runs, overall, options);
  } else {
    print_one(runs.front(), options);
  }
  return exit_code(overall);
}

std::function<int()> declare_reproduce(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<ReproduceOptions>();
  declare.optional_positional("EXPERIMENT", options->name,
                              "Experiment to reproduce, unless --all or --paper is given.");
  declare.flag("--all", options->all, "Reproduce every experiment, the cheapest first.");
  declare.option("--paper NAME", options->paper,
                 "Reproduce the experiments of one folder, for example spannogram.");
  declare_profile_and_jobs(declare, options->arguments);
  declare_settings(declare, options->arguments);
  declare.option("--pages FOLDER", options->pages,
                 "Write a page in Markdown for each paper, with its figures, to FOLDER.");
  declare_quiet(declare, options->arguments);
  declare.flag("--json", options->json, "Print every comparison as JSON.");
  return [options, &global] { return reproduce(*options, global); };
}

SPCA_COMMAND("reproduce", CommandGroup::kExperiments,
             "Run the unfinished cells, then print every published number with ours beside it",
             "  spca reproduce quickstart\n"
             "  spca reproduce --paper spannogram -j 2\n"
             "  spca reproduce --all --profile smoke -j 2\n"
             "  spca reproduce --all -j 2 --pages results/reproduction",
             declare_reproduce);

}  // namespace
}  // namespace spca::cli

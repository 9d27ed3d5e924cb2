#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/cli/arguments.h"
#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/comparisons/baseline_file.h"
#include "harness/comparisons/gate_junit.h"
#include "harness/comparisons/gate_report.h"
#include "harness/history/history_reference.h"
#include "harness/peers/peer.h"
#include "harness/records/manifest.h"
#include "harness/runs/finished_run.h"
#include "spca/base/standard_error.h"
#include "spca/base/text.h"
#include "spca/io/file_descriptor.h"

namespace spca::cli {
namespace {

namespace fs = std::filesystem;

struct CheckOptions {
  std::string what, baseline, history, last, junit, markdown;
  RunArguments arguments;
  bool json = false;
  bool force = false;
};

/// Returns whether the command was given the folder of a run, not an experiment.
bool is_run(const CheckOptions& options) {
  return fs::exists(fs::path(options.what) / "cells.jsonl");
}

/// The run that is compared with the baseline.
struct Checked {
  ComparedRun run;
  bool interrupted = false;
};

bool lacks_a_solver(const Baseline& baseline) {
  return std::any_of(baseline.run.cells.begin(), baseline.run.cells.end(),
                     [](const ComparedCell& cell) { return !may_be_solver(cell.solver_name); });
}

/// Says of an error about an option of `spca run` that the value is the baseline's, and of one
/// about the experiment that the folder of a run is accepted, too.
std::string with_source(const std::string& error, const CheckOptions& options,
                        const Json& overrides) {
  const std::string unknown = options.what + ": found no such experiment or file; accepted: ";
  if (error.starts_with(unknown)) {
    return unknown + "the folder of a run, " + error.substr(unknown.size());
  }
  for (const auto& [option, member] :
       {std::pair("--profile: ", "profile"), std::pair("--only solver: ", "only_solvers"),
        std::pair("--only dataset: ", "only_datasets"), std::pair("--set ", "set"),
        std::pair("--seed: ", "seed"), std::pair("--repeats: ", "repeats"),
        std::pair("--time-limit: ", "time_limit"), std::pair("--memory-limit: ", "memory_limit")}) {
    if (error.starts_with(option) && !overrides.at(member).empty() &&
        (member != std::string_view("profile") || options.arguments.profile.empty())) {
      return fmt::format("{}: /run/{}: {}", options.baseline, member,
                         error.substr(std::string_view(option).size()));
    }
  }
  return error;
}

/// Runs the experiment with the overrides of the baseline's run, except those that the command line
/// replaces.
Checked run_and_read(CheckOptions& options, const Baseline& baseline, const GlobalOptions& global) {
  options.arguments.base = overrides_from_json(baseline.run.overrides);
  try {
    const std::string name = load_with(options.what, options.arguments, global).name;
    if (name != baseline.run.experiment) {
      throw InputError(
          fmt::format("{}: is of the experiment \"{}\"; accepted: a baseline of \"{}\"",
                      options.baseline, printable(baseline.run.experiment), name));
    }
    const FinishedRun run =
        run_once(options.what, options.arguments, options.arguments.directory, global);
    return {.run = read_compared_run(run.directory), .interrupted = run.summary.interrupted};
  } catch (const InputError& error) {
    // An experiment that names a removed solver cannot be run, so there is nothing to compare.
    if (!lacks_a_solver(baseline)) {
      throw InputError(with_source(error.what(), options, baseline.run.overrides));
    }
    say("spca check: not run: {}", error.what());
    ComparedRun nothing = baseline.run;
    nothing.cells.clear();
    return {.run = nothing, .interrupted = false};
  }
}

Checked find_or_run(CheckOptions& options, const Baseline& baseline, const GlobalOptions& global) {
  return is_run(options)
             ? Checked{.run = read_compared_run(options.what, damage_from(options.force)),
                       .interrupted = false}
             : run_and_read(options, baseline, global);
}

/// The reference of the comparison, with its description for reports.
struct Reference {
  Baseline baseline;
  GateReference shown;
};

int judge(const CheckOptions& options, const Reference& reference, const ComparedRun& run) {
  const GateReport report = check_run(reference.baseline, run);
  if (!options.junit.empty()) {
    write_file_atomically(options.junit, printable_lines(gate_junit(report)));
  }
  if (!options.markdown.empty()) {
    write_file_atomically(options.markdown,
                          printable_lines(gate_markdown(report, reference.shown)));
  }
  if (options.json) {
    write_json(gate_json(report, reference.shown));
  } else {
    write_stdout(gate_text(report, reference.shown));
  }
  return spca::exit_code(report.verdict);
}

/// Throws InputError for an option that would be ignored: a finished run is not run again, and a
/// run of this command needs no --force.
void refuse_ignored(const CheckOptions& options) {
  const RunArguments& arguments = options.arguments;
  for (const auto& [name, is_given] :
       {std::pair{"--profile", !arguments.profile.empty()},
        std::pair{"-j", !arguments.jobs.empty()}, std::pair{"-o", !arguments.directory.empty()}}) {
    if (is_run(options) && is_given) {
      throw InputError(fmt::format(
          "{}: is for an experiment; accepted with the folder of a run: none, it is only read",
          name));
    }
  }
  if (!is_run(options) && options.force) {
    throw InputError("--force: found an experiment; accepted: the folder of a run");
  }
}

int check_by_baseline(CheckOptions& options, const GlobalOptions& global) {
  const Reference reference{.baseline = read_baseline(options.baseline),
                            .shown = {.name = options.baseline}};
  const Checked checked = find_or_run(options, reference.baseline, global);
  return checked.interrupted ? kExitInterrupted : judge(options, reference, checked.run);
}

/// Compares with the history. An experiment is run with the arguments of its newest run there.
int check_by_history(CheckOptions& options, const GlobalOptions& global) {
  const std::size_t last = options.last.empty()
                               ? kReferenceRuns
                               : static_cast<std::size_t>(parse_whole("--last", options.last, 1));
  const HistoryFile file(options.history, SqlAccess::kExisting);
  fs::path directory = options.what;
  if (!is_run(options)) {
    const std::string name = load_with(options.what, options.arguments, global).name;
    options.arguments.base =
        overrides_from_json(newest_overrides(file, name, options.arguments.profile));
    const FinishedRun run =
        run_once(options.what, options.arguments, options.arguments.directory, global);
    if (run.summary.interrupted) {
      return kExitInterrupted;
    }
    directory = run.directory;
  }
  const Damage damage = damage_from(options.force);
  HistoryReference reference = history_reference(file, entry_of_run(directory, {}, damage), last);
  return judge(options,
               {.baseline = std::move(reference.baseline),
                .shown = {.name = std::move(reference.name), .kind = ReferenceKind::kHistory}},
               read_compared_run(directory, damage));
}

int check(CheckOptions& options, const GlobalOptions& global) {
  if (options.baseline.empty() == options.history.empty()) {
    throw InputError(fmt::format("--baseline, --history: found {}; accepted: one of them",
                                 options.baseline.empty() ? "neither" : "both"));
  }
  if (options.history.empty() && !options.last.empty()) {
    throw InputError("--last: is for --history, which was not given");
  }
  refuse_ignored(options);
  return options.history.empty() ? check_by_baseline(options, global)
                                 : check_by_history(options, global);
}

std::function<int()> declare_check(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<CheckOptions>();
  declare.positional("RUN_OR_EXPERIMENT", options->what,
                     "Folder of a run, or an experiment, whose unfinished cells are run first.");
  declare.option("--baseline FILE", options->baseline,
                 "Baseline to compare with, from `spca baseline`.");
  declare.option("--history FILE", options->history,
                 "Compare with the median of the last runs in this file of `spca history` instead "
                 "of a baseline.");
  declare.option("--last N", options->last, "Number of runs taken from --history (default 10).");
  declare.option("--junit FILE", options->junit,
                 "Write a report in JUnit XML, with a test case for each cell.");
  declare.option("--markdown FILE", options->markdown,
                 "Write a table in Markdown, for a pull request.");
  declare.flag("--json", options->json, "Print every cell and metric as JSON.");
  declare_force(declare, options->force);
  declare.option("--profile NAME", options->arguments.profile,
                 "Profile of the experiment (default: the baseline's).");
  declare.option("-j,--jobs N", options->arguments.jobs,
                 "Number of cells that run at a time (default 1, because times count).");
  declare.option("-o,--output FOLDER", options->arguments.directory,
                 "Folder of the run (default: one below results/runs).");
  return [options, &global] { return check(*options, global); };
}

SPCA_COMMAND("check", CommandGroup::kResults,
             "Compare a run with a baseline: exit code 0 as good, 3 failed, 4 worse, 5 not "
             "comparable, 6 only slower",
             "  spca check quickstart --baseline results/reference/quickstart.json\n"
             "  spca check results/runs/quickstart/smoke --baseline old.json --junit check.xml\n"
             "  spca check quickstart --history results/history.sqlite --last 20",
             declare_check);

}  // namespace
}  // namespace spca::cli

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/help.h"
#include "harness/cli/output.h"
#include "harness/cli/reproduction_plan.h"
#include "harness/experiments/papers.h"
#include "harness/pages/judged_run.h"
#include "harness/pages/paper_answer.h"
#include "harness/pages/reproduction_pages.h"
#include "harness/verdicts/comparison_json.h"
#include "harness/verdicts/comparison_tables.h"
#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/data_folder.h"

namespace spca::cli {
namespace {

struct ReproduceOptions {
  std::string name, paper, pages;
  RunArguments arguments;
  bool all = false;
  bool json = false;

  bool takes_several() const { return all || !paper.empty(); }
};

void check(const ReproduceOptions& options) {
  const int ways =
      (options.name.empty() ? 0 : 1) + (options.paper.empty() ? 0 : 1) + (options.all ? 1 : 0);
  if (ways != 1) {
    throw InputError(fmt::format(
        "reproduce: found {} of EXPERIMENT, --paper and --all; accepted: one of them", ways));
  }
  require_no_paper(options.name);
  if (!options.pages.empty() && !options.arguments.settings.empty()) {
    throw InputError("--pages: found --set, too; accepted: experiments as they are");
  }
  if (!options.pages.empty() && !options.arguments.also.empty()) {
    throw InputError("--pages: found --also, too; accepted: experiments as they are");
  }
  if (!options.pages.empty()) {
    require_pages_folder(options.pages);
  }
}

/// Returns the changes to the experiment, which are shown beside its verdicts.
std::string settings_text(const std::vector<std::string>& settings) {
  return settings.empty() ? "" : fmt::format(" (--set {})", join(settings, " --set "));
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    widest = std::max(widest, end - begin);
    begin = end + 1;
  }
  return widest;
}

/// Returns each row of the table as a paragraph: its first two entries, then the others with the
/// heads of their columns.
std::string blocks_of(const Table& table, std::size_t width) {
  constexpr std::size_t kBlockIndent = 4;
  const auto indented = [&](const std::string& text) {
    return wrapped(printable(text), kBlockIndent, width) + "\n";
  };
  std::string blocks = printable(table.title) + "\n";
  for (const std::vector<std::string>& row : table.rows) {
    std::vector<std::string> others;
    for (std::size_t j = 2; j < row.size(); ++j) {
      if (!row[j].empty()) {
        others.push_back(fmt::format("{}: {}", table.header[j], row[j]));
      }
    }
    blocks += indented(fmt::format("{}: {}", row[0], row[1])) + std::string(kBlockIndent, ' ') +
              wrapped(printable(join(others, "; ")), kBlockIndent, width - kBlockIndent) + "\n";
  }
  for (const std::string& note : table.notes) {
    blocks += indented(note);
  }
  return blocks;
}

/// Returns the claims as a table, or as paragraphs if the terminal is narrower than the table.
std::string claims_text(const Table& claims) {
  const std::size_t width = terminal_width();
  const std::string text = render(claims, TableFormat::kText);
  constexpr std::size_t kFewest = 20;
  return width == 0 || widest_line(text) <= width ? text
                                                  : blocks_of(claims, std::max(width, kFewest));
}

/// Prints whether the paper is reproduced, its tables, all other numbers and claims, the known
/// differences that no longer apply, and the counts of the verdicts.
void print_one(const JudgedRun& judged, const BestKnown& best, const ReproduceOptions& options) {
  const std::vector<PaperTable> of_paper = paper_tables({verdicts_of(judged)}, best);
  if (!of_paper.empty() || !judged.tally.claims_of_papers.empty()) {
    std::string first = answer(judged.tally, of_paper);
    first.erase(std::remove(first.begin(), first.end(), '*'), first.end());
    const std::size_t width = terminal_width();
    write_stdout((width == 0 ? first : wrapped(first, 0, width)) + "\n\n");
  }
  for (const Table& table : number_tables(judged, of_paper)) {
    write_stdout(render(table, TableFormat::kText) + "\n");
  }
  for (const Table& table : claim_tables(judged.claims)) {
    write_stdout(claims_text(table) + "\n");
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
std::vector<JudgedRun> run_many(const ReproduceOptions& options, const GlobalOptions& global,
                                BestKnown& best) {
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
        judge_run(run_once(run.name, options.arguments, run.directory, global, &progress), best));
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
  BestKnown best;
  if (options.takes_several()) {
    runs = run_many(options, global, best);
  } else {
    runs.push_back(judge_run(
        run_once(options.name, options.arguments, options.arguments.directory, global), best));
  }
  Tally overall;
  for (const JudgedRun& judged : runs) {
    overall.add(judged.tally);
  }
  std::vector<std::string> pages_left;
  if (!options.pages.empty() && !overall.interrupted) {
    pages_left =
        write_reproduction_pages(options.pages, runs, best, data_directory(global.data_dir));
  }
  for (const std::string& line : pages_left) {
    say("{}", line);
  }
  int code = exit_code(overall);
  if (code == 0 && !pages_left.empty()) {
    code = exit_code(Verdict::kNotRun);
  }
  if (options.json) {
    Json experiments = Json::array();
    for (const JudgedRun& judged : runs) {
      experiments.push_back(judged_run_json(judged, options.arguments.settings));
    }
    write_json({{"experiments", experiments}, {"verdicts", overall.json()}, {"exit_code", code}});
  } else if (options.takes_several()) {
    print_many(runs, overall, options);
  } else {
    print_one(runs.front(), best, options);
  }
  return code;
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

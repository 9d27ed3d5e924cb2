#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "spca/cli/experiment_run.h"
#include "spca/cli/output.h"
#include "spca/published.h"
#include "spca/table.h"

namespace spca::cli {
namespace {

/// How often each verdict was given.
struct Tally {
  std::map<Verdict, std::size_t> count;
  std::size_t worse_unexplained = 0;
  bool has_failed = false;
  bool interrupted = false;

  void add(const std::vector<Comparison>& comparisons) {
    for (const Comparison& comparison : comparisons) {
      ++count[comparison.verdict];
      worse_unexplained +=
          comparison.verdict == Verdict::kWorse && comparison.explanations.empty() ? 1 : 0;
    }
  }
  int exit_code() const {
    const auto total = [this](Verdict verdict) {
      return count.contains(verdict) ? count.at(verdict) : 0;
    };
    const std::size_t compared =
        total(Verdict::kMatch) + total(Verdict::kBetter) + total(Verdict::kWorse);
    return interrupted             ? kExitInterrupted
           : has_failed            ? kExitFailed
           : worse_unexplained > 0 ? kExitWorse
           : compared == 0         ? kExitNotComparable
                                   : kExitOk;
  }
  Json json() const {
    Json json = Json::object();
    for (const Verdict verdict :
         {Verdict::kMatch, Verdict::kBetter, Verdict::kWorse, Verdict::kNotComparable}) {
      json[verdict_name(verdict)] = count.contains(verdict) ? count.at(verdict) : 0;
    }
    json["worse without a known reason"] = worse_unexplained;
    return json;
  }
  std::string text() const {
    std::vector<std::string> words;
    const Json counts = json();  // items() holds a reference
    for (const auto& [name, number] : counts.items()) {
      words.push_back(fmt::format("{} {}", number.get<std::size_t>(), name));
    }
    return join(words);
  }
};

Json comparison_json(const Comparison& comparison) {
  const PublishedCell& published = *comparison.published;
  return {{"where", published.where},
          {"grid", comparison.grid},
          {"dataset", comparison.dataset},
          {"solver", comparison.solver},
          {"deflation", comparison.deflation},
          {"cardinality", comparison.cardinality},
          {"metric", published.metric},
          {"printed", published.printed},
          {"published", published.value},
          {"ours", comparison.ours},
          {"standard_error", comparison.standard_error},
          {"repeats", comparison.repeats},
          {"tolerance", comparison.tolerance},
          {"tolerance_rule", published.tolerance_rule},
          {"verdict", verdict_name(comparison.verdict)},
          {"reason", comparison.reason},
          {"cardinality_missed", comparison.cardinality_missed},
          {"explanations", comparison.explanations}};
}

struct ReproduceOptions {
  std::string name;
  RunWords words;
  bool json = false;
};

int reproduce(const ReproduceOptions& options, const GlobalOptions& global) {
  const bool all = options.name == "all";
  const std::vector<std::string> names =
      all ? experiment_names() : std::vector<std::string>{options.name};
  const std::filesystem::path base = options.words.directory;
  Tally overall;
  Json experiments = Json::array();
  for (const std::string& name : names) {
    const std::filesystem::path directory = base.empty() || !all ? base : base / name;
    const FinishedRun run = run_once(name, options.words, directory, global);
    const std::vector<Comparison> comparisons =
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
                             {"run", summary_json(run.summary)},
                             {"verdicts", tally.json()},
                             {"comparisons", list}});
    } else {
      for (const Table& table : comparison_tables(run.experiment, comparisons)) {
        write_stdout(render(table, TableFormat::kText) + "\n");
      }
      write_stdout(fmt::format("{}: {}\n", run.experiment.name, tally.text()));
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
  declare_profile_and_jobs(declare, options->words);
  declare.flag("--json", options->json, "every comparison as JSON");
  return [options, &global] { return reproduce(*options, global); };
}

SPCA_COMMAND("reproduce",
             "Run what is not yet run, then print every published number with ours beside it",
             "  spca reproduce quickstart\n  spca reproduce all --profile smoke -j 2",
             declare_reproduce);

}  // namespace
}  // namespace spca::cli

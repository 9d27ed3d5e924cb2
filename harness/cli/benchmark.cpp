/// Runs solvers on the library of instances, and summarises their results in one table. The command
/// makes an experiment and runs it like any other.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/benchmarks/benchmark_experiment.h"
#include "harness/benchmarks/benchmark_table.h"
#include "harness/benchmarks/leaderboard.h"
#include "harness/cli/arguments.h"
#include "harness/cli/experiment_run.h"
#include "harness/cli/instances_text.h"
#include "harness/cli/output.h"
#include "harness/instances/instance_data.h"
#include "harness/pages/report_page.h"
#include "harness/records/build_facts.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/base/sha256.h"
#include "spca/base/standard_error.h"
#include "spca/data/data_folder.h"
#include "spca/io/file_descriptor.h"
#include "spca/io/json_file.h"
#include "spca/io/temporary_folder.h"

namespace spca::cli {
namespace {

namespace fs = std::filesystem;

struct BenchmarkOptions {
  std::vector<std::string> names;
  std::string instance_class, size = "built-in", time_limit, format = "text", page, leaderboard;
  bool json = false;
  RunArguments run;
};

/// The chosen instances whose data are here, and the number of the others.
struct InstancesHere {
  std::vector<KnownInstance> instances;
  std::size_t left_out = 0;
};

/// Returns the chosen instances. Says on stderr which data are not here.
InstancesHere instances_here(const BenchmarkOptions& options, const fs::path& data_dir) {
  if (!options.instance_class.empty()) {
    InstanceClasses::instance().get(options.instance_class, "--class");
  }
  std::vector<KnownInstance> instances =
      installed_library().instances({.instance_class = options.instance_class,
                                     .extents = extents_from_names(options.size, "--size")});
  const std::size_t chosen = instances.size();
  std::map<std::string, DataState> states;
  std::map<std::string, std::size_t> missing;  // number of instances by data and reason
  std::erase_if(instances, [&](const KnownInstance& known) {
    const auto [state, is_new] = states.try_emplace(known.data->label + known.data->checksum);
    if (is_new) {
      state->second = state_of(*known.data, data_dir);
    }
    if (!state->second.is_usable) {
      ++missing[fmt::format("{}: {}", known.data->label, state->second.problem)];
    }
    return !state->second.is_usable;
  });
  for (const auto& [problem, count] : missing) {
    say("spca: {} instance{} left out: {}", count, count == 1 ? " is" : "s are", problem);
  }
  const std::size_t left_out = chosen - instances.size();
  return {.instances = std::move(instances), .left_out = left_out};
}

/// Returns the format; empty for JSON. Throws InputError for another format beside --json.
std::optional<TableFormat> format_of(const BenchmarkOptions& options) {
  const std::optional<TableFormat> format = table_format_from_name(options.format);
  if (options.json && format && *format != TableFormat::kText) {
    throw InputError(
        fmt::format("--format: found {} beside --json; accepted: one of the two", options.format));
  }
  return options.json ? std::nullopt : format;
}

/// Checks the names of outputs before the work begins.
void check_outputs(const BenchmarkOptions& options) {
  format_of(options);
  check_output_file("--page", options.page, {".html"});
  check_output_file("--leaderboard", options.leaderboard, {".md"});
}

/// Returns the folder of a benchmark: the same solvers, instances and limit find it again.
fs::path directory_of(const BenchmarkOptions& options, const Experiment& experiment) {
  constexpr std::size_t kDigestDigits = 8;
  if (!options.run.directory.empty()) {
    return options.run.directory;
  }
  return default_run_directory(experiment).parent_path() /
         fmt::format("{}{}-{:.{}}", options.size,
                     options.instance_class.empty() ? "" : "-" + options.instance_class,
                     sha256(json_line(experiment.json)), kDigestDigits);
}

/// Throws InputError if the folder holds cells that are not part of the experiment, which a run
/// would remove.
void refuse_other_benchmark(const fs::path& directory, const Experiment& experiment) {
  const fs::path cells = directory / "cells.jsonl";
  if (!fs::exists(cells) || fs::is_empty(cells)) {
    return;
  }
  const std::string lost =
      find_lost_part(try_json_file(directory / "experiment.json"), experiment.json);
  if (!lost.empty()) {
    throw InputError(
        fmt::format("{}: holds a benchmark with {}, which this command lacks; accepted: another "
                    "folder (-o), or the solvers, instances and time limit of that benchmark, and "
                    "more of them",
                    directory.string(), lost));
  }
}

/// Throws InputError if no solver can have an answer of a class of the instances.
void require_takers(const std::vector<KnownInstance>& instances,
                    const std::vector<SolverChoice>& solvers) {
  std::vector<std::string> classes;
  for (const KnownInstance& known : instances) {
    if (std::any_of(solvers.begin(), solvers.end(), [&](const SolverChoice& solver) {
          return is_asked(*known.of, *solver.entry);
        })) {
      return;
    }
    if (classes.empty() || classes.back() != known.of->name) {
      classes.push_back(known.of->name);
    }
  }
  std::vector<std::string> names;
  for (const SolverChoice& solver : solvers) {
    names.push_back(solver.label);
  }
  throw InputError(
      fmt::format("SOLVER: no solver of {} takes the class {}; accepted: a solver of several "
                  "components at once",
                  join(names), join(classes)));
}

Experiment load(const BenchmarkOptions& options, const std::vector<KnownInstance>& instances,
                const fs::path& data_dir) {
  const std::vector<SolverChoice> solvers = chosen_solvers(options.names, "SOLVER");
  require_takers(instances, solvers);
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "benchmark.json";
  std::optional<double> limit;
  if (!options.time_limit.empty()) {
    limit = parse_positive("--time-limit", options.time_limit);
  }
  write_json_file(file, benchmark_experiment(
                            {.instances = instances, .solvers = solvers, .time_limit = limit}));
  Experiment experiment = load_experiment(file, {}, data_dir);
  experiment.folder = fs::current_path();
  return experiment;
}

/// Says which answers are wrong, and which improve the library. Returns whether any is wrong.
bool say_findings(const std::vector<BenchmarkCell>& cells, const fs::path& run) {
  bool is_wrong = false;
  bool is_better = false;
  for (const BenchmarkCell& cell : cells) {
    if (cell.is_wrong) {
      is_wrong = true;
      say("spca: {} on {}: {}", cell.record->solver, cell.known.instance->id, cell.message);
    }
    if (cell.is_improvement()) {
      is_better = true;
      say("spca: {} on {}: {}", cell.record->solver, cell.known.instance->id,
          standing_text(cell.standing));
    }
  }
  if (is_better) {
    say("spca: `spca instances update {}` recomputes the better values and takes them up",
        run.string());
  }
  return is_wrong;
}

void write_page(const fs::path& page, const fs::path& run, const Table& table,
                const fs::path& data_dir) {
  ReportPage report;
  report.add(read_reported_run(run, data_dir, Damage::kRefused), data_dir);
  report.put_first(table);
  write_file_atomically(page, report.html());
}

int benchmark(const BenchmarkOptions& options, const GlobalOptions& global) {
  check_outputs(options);
  const fs::path data_dir = data_directory(global.data_dir);
  const InstancesHere here = instances_here(options, data_dir);
  const std::vector<KnownInstance>& instances = here.instances;
  if (instances.empty()) {
    say("spca: no instance of size {}{} can be solved here", options.size,
        options.instance_class.empty() ? "" : " and class " + options.instance_class);
    return kExitNotComparable;
  }
  const Experiment experiment = load(options, instances, data_dir);
  const fs::path directory = directory_of(options, experiment);
  refuse_other_benchmark(directory, experiment);
  const RunRequest request = run_request(experiment, options.run, directory, global);
  const RunSummary summary = run_experiment(request);
  if (!options.run.quiet) {
    say_summary(experiment.name, summary, request.directory);
  }
  const std::vector<Record> records = read_records(request.directory / "cells.jsonl");
  const std::vector<BenchmarkCell> cells =
      benchmark_cells(experiment, records, installed_library(), data_dir);
  const BenchmarkCaption caption{.edition = edition_of(installed_library()),
                                 .version = build_facts().version,
                                 .size = options.size,
                                 .time_limits = time_limits_of(cells),
                                 .instances = instances.size() + here.left_out,
                                 .left_out = here.left_out,
                                 .cells = summary.cells,
                                 .missing = summary.cells - records.size()};
  const std::vector<SolverScore> scores = solver_scores(cells);
  const Table table = benchmark_table(scores, caption);
  const std::optional<TableFormat> format = format_of(options);
  if (!format) {
    Json json = benchmark_json(scores, cells, caption);
    json["directory"] = request.directory.string();
    write_json(json);
  } else {
    write_stdout(format == TableFormat::kCsv ? benchmark_csv(scores) : render(table, *format));
  }
  if (!options.leaderboard.empty() && caption.missing > 0) {
    say("spca: {} is not written: {} of {} cells are missing; the same command continues",
        options.leaderboard, caption.missing, caption.cells);
  } else if (!options.leaderboard.empty()) {
    write_file_atomically(options.leaderboard, leaderboard(cells, caption));
  }
  if (!options.page.empty()) {
    write_page(options.page, request.directory, table, data_dir);
  }
  const bool is_wrong = say_findings(cells, request.directory);
  if (summary.interrupted) {
    return kExitInterrupted;
  }
  const bool has_answer = std::any_of(
      scores.begin(), scores.end(), [](const SolverScore& score) { return score.is_applicable(); });
  return is_wrong ? kExitFailed : has_answer ? kExitOk : kExitNotComparable;
}

std::function<int()> declare_benchmark(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<BenchmarkOptions>();
  declare.positional("SOLVER", options->names,
                     "Solvers: names or patterns of registered ones, peers/NAME or a pattern of "
                     "these, or the file of a peer, such as ./mine.json. Options follow in "
                     "brackets, as in 'search[rounds=1000]'.");
  declare.option("--class NAME", options->instance_class,
                 fmt::format("Restrict to one class: {}.", class_alternatives()));
  declare.option("--size SIZE[,SIZE...]", options->size,
                 "Restrict to sizes: built-in (default), small, large, huge or all. Small "
                 "instances have at most 101 variables, and built-in ones also need no file; large "
                 "ones have 102 to 50,000, and huge ones more.");
  declare.option("--time-limit SECONDS", options->time_limit,
                 fmt::format("Time limit of each solve (default {:g}; for data of more than {} "
                             "variables {:g}).",
                             default_time_limit(InstanceExtent::kSmall), kSmallInstance,
                             default_time_limit(InstanceExtent::kLarge)));
  declare.option("-j,--jobs N", options->run.jobs,
                 "Number of solves at a time (default 1). With more, times are not shown.");
  declare.option("--threads N", options->run.threads,
                 "Number of threads that each solve may use (default 1).");
  declare.option("-o,--output FOLDER", options->run.directory,
                 "Folder of the run (default: one below results/runs/benchmark).");
  declare.option("--page FILE.html", options->page,
                 "Also write a page with the table, performance profiles, shortfall against time, "
                 "and every solver on every instance.");
  declare.option("--leaderboard FILE.md", options->leaderboard,
                 "Also write tables by class and size, and which solver to trust.");
  declare.option("--format NAME", options->format,
                 "Format of the table: text (default), md, csv, tex or json.");
  declare.flag("--json", options->json, "The same as --format json.");
  declare.flag("--no-cache", options->run.no_cache,
               "Neither take records from the cache of cells nor add any to it.");
  declare_quiet(declare, options->run);
  return [options, &global] { return benchmark(*options, global); };
}

SPCA_COMMAND("benchmark", CommandGroup::kExperiments,
             "Run solvers on the library of instances, and print one table of their results (exit "
             "code 3: an answer is infeasible or above a proved bound)",
             "  spca benchmark tpower local-search branch-bound\n"
             "  spca benchmark 'gpower-*' ./mine.json --class one-component --page mine.html\n"
             "  spca benchmark my-method tpower --size small --format tex\n"
             "  spca benchmark '*' 'peers/*' --leaderboard results/leaderboard.md",
             declare_benchmark);

}  // namespace
}  // namespace spca::cli

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "harness/answers/cardinality_suggestion.h"
#include "harness/answers/component_suggestion.h"
#include "harness/answers/derived_seed.h"
#include "harness/answers/guarded_solver.h"
#include "harness/answers/path_against_library.h"
#include "harness/answers/path_json.h"
#include "harness/answers/path_solver.h"
#include "harness/answers/request.h"
#include "harness/cli/arguments.h"
#include "harness/cli/data_arguments.h"
#include "harness/cli/output.h"
#include "harness/cli/path_text.h"
#include "harness/cli/solve_watchdog.h"
#include "harness/experiments/experiment.h"
#include "harness/experiments/experiment_match.h"
#include "harness/pages/python_program.h"
#include "harness/peers/peer.h"
#include "harness/records/shown_message.h"
#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/base/json_text.h"
#include "spca/base/standard_error.h"
#include "spca/io/progress.h"
#include "spca/measure/cardinality_path.h"

namespace spca::cli {
namespace {

/// At most this number of components is considered if --components has no value.
constexpr const char* kMostComponents = "10";

struct PathArguments {
  DataArguments data;
  std::string solver = kDefaultSolver;
  std::string cardinality, components, permutations, deflation, resamples, folds, seed, time_limit,
      figure;
  std::vector<std::string> settings;
  bool json = false;
  bool quiet = false;
};

void declare_arguments(Declarations& declare, PathArguments& arguments) {
  declare_data_arguments(declare, arguments.data);
  declare_draw(declare, arguments.data);
  declare.option("--solver NAME[,NAME...]", arguments.solver,
                 "Solvers, or globs such as 't*', which select sparse solvers (default search, as "
                 "for `spca solve`; tpower takes its place on resamples and folds). With "
                 "--components a single one.");
  declare.option("--cardinality A:B[:STEP]", arguments.cardinality,
                 "Cardinalities from A to B, a single one, or a list such as 2,6,25 (default: "
                 "those that `spca solve` tries, from 1 to the lesser of 100 and p).");
  declare.flag_or_value("--components[=MOST]", arguments.components, kMostComponents,
                        "Suggest the number of components, up to MOST (default 10), and then the "
                        "cardinality of each, one after the other.");
  declare.option(
      "--permutations N", arguments.permutations,
      "Number of permutations of the columns that show which eigenvalues are due to chance "
      "(default 99, for more than 100,000 entries 19; 0: none). With --components.");
  declare.option("--deflation NAME", arguments.deflation,
                 "Deflation between the components (default remove-support). With --components.");
  declare.option("--resamples N", arguments.resamples,
                 "Number of halves of the samples that measure the stability of the support "
                 "(default 20; 0: none).");
  declare.option(
      "--folds N", arguments.folds,
      "Number of folds of the cross-validation (default 5; 0: none; with --components at "
      "least 2).");
  declare.repeatable("--set OPTION=VALUE", arguments.settings,
                     "Set OPTION of every solver that has it, or dataset.OPTION of the data set.");
  declare_seed(declare, arguments.seed);
  declare.option("--time-limit SECONDS", arguments.time_limit,
                 "Time limit of each solve (default: none).");
  declare.option("--figure FILE", arguments.figure,
                 "Also draw the path to a file that ends in .svg, .png or .pdf.");
  declare.flag("--json", arguments.json, "Print JSON instead of tables.");
  declare.flag("-q,--quiet", arguments.quiet, "Print no progress on standard error.");
}

/// Returns the settings that the solver has, and adds their names to `used`.
Json own_settings(const SolverEntry& solver, const Json& settings, std::vector<std::string>& used) {
  Json own = Json::object();
  for (const Json& option : solver.describe()) {
    const std::string& name = option.at("name").get_ref<const std::string&>();
    if (settings.contains(name)) {
      own[name] = settings[name];
      used.push_back(name);
    }
  }
  return own;
}

/// Returns the entries that a word of --solver names. Throws InputError if there are none.
std::vector<const SolverEntry*> entries_named(const std::string& word) {
  std::vector<const SolverEntry*> entries;
  for (const auto& [name, entry] : SolverRegistry::instance().entries()) {
    if (name == word || (glob_matches(word, name) && entry.traits.rule != SparsityRule::kDense)) {
      entries.push_back(&entry);
    }
  }
  if (entries.empty()) {
    entries.push_back(&find_solver(word, "--solver"));
  }
  return entries;
}

std::vector<PathSolver> find_solvers(const std::string& list, const Json& settings) {
  std::vector<PathSolver> solvers;
  std::vector<std::string> used;
  std::set<std::string> named;
  for (const std::string& word : comma_separated(list)) {
    for (const SolverEntry* entry : entries_named(word)) {
      if (named.insert(entry->name).second) {
        solvers.push_back(
            path_solver(guarded_solver(*entry), own_settings(*entry, settings, used), "--set"));
      }
    }
  }
  for (const auto& [name, value] : settings.items()) {
    if (std::find(used.begin(), used.end(), name) == used.end()) {
      throw InputError(
          fmt::format("--set {}: no solver that \"{}\" matches has this option", name, list));
    }
  }
  return solvers;
}

Index count_or(const char* option, const std::string& word, Index otherwise) {
  const Index count = word.empty() ? otherwise : parse_whole(option, word, 0);
  if (count == 1) {
    throw InputError(fmt::format("{}: found 1; accepted: 0 or a whole number >= 2", option));
  }
  return count;
}

/// Returns the reason, in a line, why the command fails; "" if it does not. It fails on any invalid
/// answer, because the solver is wrong. A cardinality without an answer (skipped, out of time)
/// makes it fail only if there is no answer at all.
std::string failure_line(const std::vector<Index>& cardinalities, const PathReport& report) {
  std::string first;
  std::size_t answers = 0;
  for (const SolverPath& path : report.solvers) {
    for (std::size_t i = 0; i < path.points.size(); ++i) {
      const CardinalityAnswer& answer = path.points[i].answer;
      std::string line =
          fmt::format("{}: k = {}: {}{}{}", path.solver.entry->name, cardinalities[i],
                      status_name(answer.status), answer.message.empty() ? "" : ": ",
                      shown_message(answer.message));
      if (answer.status == Status::kInvalid) {
        return line;
      }
      answers += answer.has_answer() ? 1 : 0;
      first = first.empty() ? line : first;
    }
  }
  return answers == 0 ? first : "";
}

Json print_report(const PathRequest& request, const PathReport& report, bool as_json) {
  Json json = path_json(request.dataset, request.cardinalities, report);
  as_json ? write_json(json)
          : write_stdout(
                path_text(request.cardinalities, request.dataset.covariance->variables(), report));
  return json;
}

void say_interrupted() { say("spca: interrupted; the answers found before are printed"); }

/// Prints the answers found so far and ends the program if, after a signal, solve_path does not end
/// by itself within a second, because a solver does not check its budget.
class StopGuard {
 public:
  StopGuard(const PathRequest& request, const GrowingPathReport& report, bool as_json)
      : thread_([this, &request, &report, as_json] {
          if (!has_to_end()) {
            return;
          }
          int code = kExitInterrupted;
          try {
            print_report(request, report.so_far(), as_json);
            say_interrupted();
          } catch (const std::exception& error) {
            say("spca: error: {}", error.what());
            code = kExitInternal;
          }
          // The solver still runs in the other thread, so no destructor may run here.
          end_program(code);
        }) {}
  ~StopGuard() {
    {
      const std::lock_guard lock(mutex_);
      is_done_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  StopGuard(const StopGuard&) = delete;
  StopGuard& operator=(const StopGuard&) = delete;

 private:
  /// Returns true if a signal came and the solver continued for a second; false when the paths are
  /// solved.
  bool has_to_end() {
    using std::chrono::milliseconds;
    constexpr milliseconds kBetweenLooks(20);
    constexpr milliseconds kPatience(1000);
    std::unique_lock lock(mutex_);
    const auto is_done = [this] { return is_done_; };
    while (!stop_requested()) {
      if (changed_.wait_for(lock, kBetweenLooks, is_done)) {
        return false;
      }
    }
    return !changed_.wait_for(lock, kPatience, is_done);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  std::thread thread_;  // last: it uses the others
};

/// Ends the program if a path takes too long: between two reports of progress there is one path up
/// the cardinalities, or one up and one down.
SolveWatchdog watchdog_of_path(const PathArguments& arguments,
                               const std::vector<Index>& cardinalities, double seconds) {
  return {arguments.solver, 2 * static_cast<double>(cardinalities.size()) * seconds};
}

/// Solves the paths and reports progress.
PathReport solve_guarded(PathRequest request, const PathArguments& arguments) {
  std::unique_ptr<Progress> progress;
  const SolveWatchdog watchdog =
      watchdog_of_path(arguments, request.cardinalities, request.seconds);
  request.progress = [&](std::size_t done, std::size_t all) {
    watchdog.restart();
    if (progress == nullptr) {
      progress = std::make_unique<Progress>(all, "paths", arguments.quiet);
    }
    progress->update(done, 0);
  };
  GrowingPathReport report;
  {
    const StopGuard guard(request, report, arguments.json);
    solve_path(request, report);
  }
  if (progress != nullptr) {
    progress->finish();
  }
  return report.so_far();
}

/// Draws the figure of `json`, if one is requested. Returns the exit code.
int draw(const std::string& figure, const Json& json) {
  return figure.empty() ? kExitOk
                        : run_python("path_figure.py", {figure}, json_line(json)).exit_code;
}

int print_path(const PathRequest& request, const PathArguments& arguments,
               const std::optional<DataOrigin>& origin) {
  const StopSignals signals(StopSignals::Repeat::kOnce);
  PathReport report = solve_guarded(request, arguments);
  hold_against_library(*request.dataset.covariance, request.cardinalities, origin, report);
  const bool interrupted = stop_requested();
  const Json json = print_report(request, report, arguments.json);
  if (interrupted) {
    say_interrupted();
    return kExitInterrupted;
  }
  if (const int code = draw(arguments.figure, json); code != kExitOk) {
    return code;
  }
  const std::string failure = failure_line(request.cardinalities, report);
  if (!failure.empty()) {
    say("spca: {}", failure);
  }
  return failure.empty() ? kExitOk : kExitFailed;
}

/// Throws InputError if an argument does not go with --components or with its absence.
void check_components_arguments(const PathArguments& arguments) {
  const bool is_given = !arguments.components.empty();
  for (const auto& [name, value] : {std::pair("--permutations", &arguments.permutations),
                                    std::pair("--deflation", &arguments.deflation)}) {
    if (!is_given && !value->empty()) {
      throw InputError(fmt::format("{}: only with --components", name));
    }
  }
  if (is_given && !arguments.resamples.empty()) {
    throw InputError("--resamples: not with --components, which measures no stability");
  }
}

/// The data and numbers that both a path and a suggestion (--components) need.
struct PathInput {
  Dataset dataset = {};
  std::vector<Index> cardinalities = {};
  std::uint64_t seed = 1;  // the seed that was given
  double seconds = std::numeric_limits<double>::infinity();
};

/// Reads numbers such as "2,6,25", which must ascend.
std::vector<Index> parse_ascending(const std::string& text) {
  std::vector<Index> numbers = parse_cardinality("--cardinality", text);
  if (std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()) != numbers.end()) {
    throw InputError(
        fmt::format("--cardinality: found \"{}\"; accepted: numbers that ascend", text));
  }
  return numbers;
}

/// Reads the input, and shows the notes of the data.
PathInput read_input(const PathArguments& arguments, const Settings& settings,
                     const GlobalOptions& global) {
  PathInput input{.seed = seed_or_one("--seed", arguments.seed)};
  std::optional<WholeRange> range;
  if (arguments.cardinality.find(',') != std::string::npos) {
    input.cardinalities = parse_ascending(arguments.cardinality);
  } else if (!arguments.cardinality.empty()) {
    range = parse_range("--cardinality", arguments.cardinality);
  }
  if (!arguments.time_limit.empty()) {
    input.seconds = parse_positive("--time-limit", arguments.time_limit);
  }
  input.dataset = load_data(arguments.data, settings, global, input.seed);
  for (const std::string& note : input.dataset.notes) {
    say("spca: {}", note);
  }
  const Index p = input.dataset.covariance->variables();
  if (!range && input.cardinalities.empty()) {
    input.cardinalities = tried_cardinalities(p);
  }
  if (const Index last = range ? range->last : input.cardinalities.back(); last > p) {
    throw InputError(fmt::format("--cardinality: found {}; accepted: 1 to p = {}", last, p));
  }
  if (range) {
    input.cardinalities = range->numbers();
  }
  return input;
}

int suggest(const PathArguments& arguments, const Settings& settings, const GlobalOptions& global) {
  ComponentSuggestionRequest request;
  const std::vector<PathSolver> solvers = find_solvers(arguments.solver, settings.solver);
  if (solvers.size() > 1) {
    throw InputError(fmt::format("--solver: found {} solvers; accepted: one, with --components",
                                 solvers.size()));
  }
  request.solver = solvers.front();
  request.most = parse_whole("--components", arguments.components, 1);
  if (!arguments.permutations.empty()) {
    request.permutations = parse_whole("--permutations", arguments.permutations, 0);
    if (*request.permutations > 0 && *request.permutations < kLeastPermutations) {
      throw InputError(fmt::format("--permutations: found {}; accepted: 0 or a whole number >= {}",
                                   *request.permutations, kLeastPermutations));
    }
  }
  if (!arguments.folds.empty()) {
    request.folds = parse_whole("--folds", arguments.folds, 2);
  }
  request.deflation = &suggestion_deflation(arguments.deflation, "--deflation");
  PathInput input = read_input(arguments, settings, global);
  request.dataset = std::move(input.dataset);
  request.cardinalities = std::move(input.cardinalities);
  request.seed = input.seed;
  request.seconds = input.seconds;
  const StopSignals signals(StopSignals::Repeat::kOnce);
  std::unique_ptr<Progress> progress;
  std::size_t shown = 0;
  const SolveWatchdog watchdog =
      watchdog_of_path(arguments, request.cardinalities, request.seconds);
  request.progress = [&](std::size_t done, std::size_t all) {
    watchdog.restart();
    if (all != shown) {  // the first call, or the number of components, and so of paths, is new
      shown = all;
      progress = std::make_unique<Progress>(all, "steps", arguments.quiet);
    }
    progress->update(done, 0);
  };
  const ComponentSuggestion suggestion = suggest_components(request, "--components");
  if (progress != nullptr) {
    progress->finish();
  }
  const Json json = suggestion_json(request.dataset, suggestion);
  const Covariance& covariance = *request.dataset.covariance;
  const bool may_be_more = request.most < std::min(covariance.samples(), covariance.variables());
  arguments.json ? write_json(json)
                 : write_stdout(suggestion_text(suggestion, may_be_more ? request.most : 0));
  if (stop_requested()) {
    say_interrupted();
    return kExitInterrupted;
  }
  if (const int code = draw(arguments.figure, json); code != kExitOk) {
    return code;
  }
  for (const ComponentPath& path : suggestion.paths) {
    if (const std::string failure = failure_line(path.cardinalities, path.report);
        !failure.empty()) {
      say("spca: {}", failure);
      return kExitFailed;
    }
  }
  return kExitOk;
}

int run_path(const PathArguments& arguments, const GlobalOptions& global) {
  check_components_arguments(arguments);
  const Settings settings = read_settings(arguments.settings);
  check_data_arguments(arguments.data, settings);
  check_output_file("--figure", arguments.figure, {".svg", ".png", ".pdf"});
  if (!arguments.components.empty()) {
    return suggest(arguments, settings, global);
  }
  PathRequest request;
  request.solvers = find_solvers(arguments.solver, settings.solver);
  request.resamples = count_or("--resamples", arguments.resamples, request.resamples);
  request.folds = count_or("--folds", arguments.folds, request.folds);
  PathInput input = read_input(arguments, settings, global);
  request.dataset = std::move(input.dataset);
  request.cardinalities = std::move(input.cardinalities);
  request.seed = derived_seed(input.seed, "path");
  request.seconds = input.seconds;
  return print_path(request, arguments, data_origin(arguments.data, settings, global, input.seed));
}

std::function<int()> declare_path(Declarations& declare, const GlobalOptions& global) {
  const auto arguments = std::make_shared<PathArguments>();
  declare_arguments(declare, *arguments);
  return [arguments, &global] { return run_path(*arguments, global); };
}

SPCA_COMMAND("path", CommandGroup::kYourData,
             "Compute value, bound, stability and error for many cardinalities, to choose one",
             "  spca path --data x.csv\n"
             "  spca path --dataset pitprops --solver tpower --cardinality 1:13\n"
             "  spca path --data x.csv --solver 't*' --cardinality 5:100:5 --figure k.svg\n"
             "  spca path --data x.csv --standardize --components\n"
             "  spca path --dataset colon500 --solver fullpath --cardinality 1:50 --json",
             declare_path);

}  // namespace
}  // namespace spca::cli

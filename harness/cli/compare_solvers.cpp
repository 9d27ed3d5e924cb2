/// Compares solvers on the data of the user. The command makes an experiment and runs it like any
/// other, so that a solver that crashes or hangs loses only its own row. The experiment can be
/// kept.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/answers/answer_kind.h"
#include "harness/answers/compared_solvers.h"
#include "harness/answers/request.h"
#include "harness/cli/arguments.h"
#include "harness/cli/data_arguments.h"
#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/experiments/experiment_identity.h"
#include "harness/experiments/solver_choice.h"
#include "harness/instances/instance_data.h"
#include "harness/instances/record_standing.h"
#include "harness/instances/same_data.h"
#include "harness/records/record.h"
#include "harness/records/shown_message.h"
#include "harness/tables/number_text.h"
#include "spca/base/error.h"
#include "spca/base/standard_error.h"
#include "spca/base/text.h"
#include "spca/covariance/deflation.h"
#include "spca/data/readers/read_file.h"
#include "spca/io/json_file.h"
#include "spca/io/temporary_folder.h"
#include "spca/measure/contradiction.h"

namespace spca::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultTimeLimit = "10";
constexpr const char* kGrid = "comparison";
// At most this share of the value is rounding in the plain sum of the variances of components that
// do not overlap.
constexpr double kNoOverlap = 1e-9;

struct CompareSolversOptions {
  DataArguments data;
  std::vector<std::string> settings;
  std::string cardinality, components, solvers, deflation, time_limit, seed, jobs, save;
  bool json = false;
  bool quiet = false;
};

/// Returns the entries of the solvers in the experiment.
Json solver_entries(const std::string& list) {
  Json entries = Json::array();
  for (const SolverChoice& solver : chosen_solvers(solver_words(list), "--solvers")) {
    entries.push_back(solver_entry(solver));
  }
  return entries;
}

/// Returns a name for the experiment: the stem of the file's name in lower case, with - for every
/// character but letters, digits, - and _.
std::string experiment_name(const fs::path& file) {
  std::string name;
  for (const char character : file.stem().string()) {
    const auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(character)));
    const bool is_plain = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9') ||
                          lower == '-' || lower == '_';
    name += is_plain ? lower : '-';
  }
  return name.empty() ? kGrid : name;
}

/// Returns the data set as an experiment names it. A relative path becomes relative to `folder`.
Json dataset_entry(const CompareSolversOptions& options, const Settings& settings,
                   const fs::path& folder) {
  if (options.data.data.empty()) {
    return {{"name", options.data.dataset}, {"options", settings.dataset}};
  }
  Json file = file_options(options.data, settings);
  for (const char* member : {"path", "names"}) {
    if (file.contains(member)) {
      const fs::path path = file[member].get<std::string>();
      file[member] = path.is_absolute() ? path.string()
                                        : fs::absolute(path).lexically_relative(folder).string();
    }
  }
  return {{"name", "file"},
          {"label", fs::path(options.data.data).filename().string()},
          {"options", file}};
}

Json experiment_json(const CompareSolversOptions& options, const fs::path& file) {
  const Settings settings = read_settings(options.settings);
  check_data_arguments(options.data, settings);
  if (!settings.solver.empty()) {
    throw InputError(
        "--set: found an option of a solver; accepted: dataset.option=value, and the options of a "
        "solver in brackets, as in --solvers 'search[rounds=1000]'");
  }
  const bool is_reformed = options.data.center || options.data.no_center ||
                           options.data.standardize || !options.data.scale.empty();
  if (!options.data.dataset.empty() && is_reformed) {
    throw InputError(
        "--dataset: an experiment takes a data set in its own form; accepted: --data FILE with "
        "--center, --scale or --standardize");
  }
  if (options.cardinality.empty()) {
    throw InputError("--cardinality: found none; accepted: K[,K...]; `spca path` helps to choose");
  }
  const std::vector<Index> cardinality = parse_cardinality("--cardinality", options.cardinality);
  const Index components = options.components.empty()
                               ? std::ssize(cardinality)
                               : parse_whole("--components", options.components, 1);
  if (cardinality.size() > 1 && std::ssize(cardinality) != components) {
    throw InputError(fmt::format(
        "--cardinality: {} numbers for {} components; accepted: one for all or one for each",
        cardinality.size(), components));
  }
  const std::string solvers =
      options.solvers.empty() ? join(compared_solvers(components), ",") : options.solvers;
  check_dataset_options(options.data, settings);
  Json grid = {{"datasets", {dataset_entry(options, settings, file.parent_path())}},
               {"solvers", solver_entries(solvers)},
               {"components", components},
               {"cardinality",
                Json::array({cardinality.size() == 1 ? Json(cardinality[0]) : Json(cardinality)})},
               {"metrics",
                {"explained_variance", "explained_variance_ratio", "projected_variance",
                 "upper_bound", "cardinality", "solve_seconds"}}};
  if (components > 1) {
    const std::string deflation = options.deflation.empty() ? kDefaultDeflation : options.deflation;
    DeflationRegistry::instance().get(deflation, "--deflation");
    grid["deflations"] = {deflation};
  }
  const std::string what = options.data.data.empty() ? options.data.dataset : options.data.data;
  return {{"name", experiment_name(file)},
          {"title", fmt::format("Solvers on {}", printable(what))},
          {"seed", seed_or_one("--seed", options.seed)},
          {"time_limit",
           parse_positive("--time-limit",
                          options.time_limit.empty() ? kDefaultTimeLimit : options.time_limit)},
          {"grids", {{kGrid, grid}}},
          {"figures",
           {{{"kind", "value-against-time"}, {"title", "Shortfall against time"}},
            {{"kind", "loadings-heatmap"}, {"title", "Loadings"}}}}};
}

/// The row of one solver.
struct Row {
  std::string solver, status, message;
  double value = kNotMeasured, bound = kNotMeasured, seconds = kNotMeasured;
  std::vector<Index> nonzeros = {};
  bool unoptimised = false;   // Record::unoptimised
  bool counts_twice = false;  // the plain sum of its variances differs from the value
  AnswerKind kind = AnswerKind::kAny;
  bool is_constrained = true;  // has to respect the cardinalities
  /// The least bound of any row that holds for this answer, and the solver of that row.
  double least_bound = kNotMeasured;
  std::string bounded_by = {};
  bool is_contradicted = false;  // another row contradicts its value or its bound

  double gap() const { return is_contradicted ? kNotMeasured : relative_gap(least_bound, value); }
};

/// Returns true if the bound of `of` holds for the answer of `row`. A bound on answers of a kind
/// also holds for kinds that are part of it.
bool holds_for(const Row& of, const Row& row) {
  return &of == &row || (row.is_constrained && of.kind <= row.kind);
}

double number_of(const std::map<std::string, std::vector<double>>& metrics, const char* name) {
  const auto found = metrics.find(name);
  return found == metrics.end() || found->second.empty() ? kNotMeasured : found->second.front();
}

Row row_of(const Record& record) {
  Row row{.solver = record.solver,
          .status = status_name(record.status),
          .message = record.message,
          .seconds = record.cost.solve_seconds};
  if (!is_partial(record)) {
    // The plain sum counts the shared part of overlapping components twice, and may exceed every
    // bound.
    row.value = number_of(record.metrics, "projected_variance");
    row.counts_twice =
        number_of(record.metrics, "explained_variance") > (1 + kNoOverlap) * row.value;
    row.bound = record.bound;
  }
  row.is_constrained = !record.unconstrained;
  row.unoptimised = record.unoptimised;
  if (is_answer(record.status, !record.loadings.empty())) {
    row.kind = kind_of(record.loadings, record.p);
  }
  for (const Component& component : record.loadings) {
    row.nonzeros.push_back(component.cardinality());
  }
  return row;
}

/// Sorts the rows, best first; rows without an answer come last.
void sort_rows(std::vector<Row>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    if (std::isnan(a.value) || std::isnan(b.value)) {
      return !std::isnan(a.value) && std::isnan(b.value);
    }
    return a.value > b.value;
  });
}

/// Finds the least bound for each answer. If an answer exceeds a bound that holds for it, its row
/// and that of the bound become invalid. Returns the contradictions, one line each.
std::vector<std::string> hold_against_bounds(std::vector<Row>& rows) {
  std::vector<std::string> contradictions;
  for (Row& row : rows) {
    for (Row& other : rows) {
      if (!std::isfinite(row.value) || !std::isfinite(other.bound) || !holds_for(other, row)) {
        continue;
      }
      std::string found = find_contradiction(
          {row.value, fmt::format("the variance that the answer of {} explains", row.solver)},
          {other.bound, fmt::format("the bound of {}", other.solver)});
      if (!found.empty()) {
        for (Row* const wrong : {&row, &other}) {
          wrong->is_contradicted = true;
          wrong->status = status_name(Status::kInvalid);
          wrong->message = found;
        }
        contradictions.push_back(std::move(found));
      }
      if (!(row.least_bound <= other.bound)) {
        row.least_bound = other.bound;
        row.bounded_by = other.solver;
      }
    }
  }
  return contradictions;
}

/// Returns the row with the least bound if that bound holds for the answers of all solvers that are
/// held to the cardinality: there is one component and no contradiction. Otherwise returns null.
const Row* shared_bound(const std::vector<Row>& rows) {
  const Row* least = nullptr;
  for (const Row& row : rows) {
    const bool has_answer = !row.nonzeros.empty();
    if (row.is_contradicted || (has_answer && row.kind != AnswerKind::kOne)) {
      return nullptr;
    }
    if (std::isfinite(row.bound) && (least == nullptr || row.bound < least->bound)) {
      least = &row;
    }
  }
  return least;
}

std::string text_of(const std::vector<Row>& rows) {
  const auto or_dash = [](double value, const std::string& text) {
    return std::isfinite(value) ? text : std::string("-");
  };
  std::vector<std::vector<std::string>> table = {
      {"solver", "value", "bound", "gap", "nonzeros", "time", "status"}};
  for (const Row& row : rows) {
    table.push_back({row.solver, or_dash(row.value, significant_text(row.value, 6)),
                     or_dash(row.bound, significant_text(row.bound, 6)),
                     or_dash(row.gap(), percent_text(row.gap())),
                     row.nonzeros.empty() ? "-" : fmt::format("{}", fmt::join(row.nonzeros, ",")),
                     or_dash(row.seconds, fmt::format("{:.3g} s{}", row.seconds,
                                                      row.unoptimised ? kUnoptimisedMark : "")),
                     row.status + (row.message.empty() || std::isfinite(row.value)
                                       ? ""
                                       : ": " + shown_message(row.message))});
  }
  std::string text = aligned(table);
  if (const Row* const shared = shared_bound(rows)) {
    const bool is_free =
        std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.is_constrained; });
    text += fmt::format("gap: to the least bound, {} of {}, which holds for every solver{}\n",
                        significant_text(shared->bound, 6), shared->solver,
                        is_free ? " that is held to the cardinality" : "");
  } else if (std::any_of(rows.begin(), rows.end(), [](const Row& row) {
               return row.bounded_by != row.solver && std::isfinite(row.gap());
             })) {
    text += "gap: to the least bound of any solver that holds for such an answer\n";
  }
  if (std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.counts_twice; })) {
    text += "value: projected variance, which counts once what components share\n";
  }
  if (std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.unoptimised; })) {
    text += fmt::format("{} {}\n", kUnoptimisedMark, kUnoptimisedNote);
  }
  return text;
}

/// Returns the instances of the library on the data of the user. A file is read again only if the
/// library has data with as many variables.
FoundInstances instances_on_data(const Experiment& experiment, const std::vector<Record>& records,
                                 const GlobalOptions& global) {
  const InstanceLibrary& library = installed_library();
  if (experiment.variants.empty()) {
    return {};
  }
  const Variant& variant = experiment.variants.front();
  const DatasetRequest request{.data_dir = data_directory(global.data_dir),
                               .seed = data_seed(experiment, {.variant = 0, .repeat = 0}),
                               .base_dir = experiment.folder};
  if (variant.dataset->traits.path_options.empty()) {
    return {instances_on(library, origin_of(*variant.dataset, variant.dataset_options, request))};
  }
  const auto answered = std::find_if(records.begin(), records.end(),
                                     [](const Record& record) { return record.p > 0; });
  if (answered == records.end() || library.instances_of(answered->p).empty()) {
    return {};
  }
  const Dataset data = variant.dataset->load(variant.dataset_options, request);
  const std::optional<DataOrigin> origin = origin_of_same_data(library, *data.covariance);
  return origin ? FoundInstances{instances_on(library, *origin), true} : FoundInstances{};
}

/// Returns the standing of each solver that answered an instance, by its name.
Json best_known_json(const FoundInstances& found, const std::vector<Record>& records) {
  Json json = Json::object();
  for (const Record& record : records) {
    if (const std::optional<InstanceStanding> standing = standing_of_record(found, record)) {
      json[record.solver] = standing_json(*standing);
    }
  }
  return json;
}

Json json_of(const std::vector<Row>& rows, const Json& experiment, const Json& instances) {
  Json list = Json::array();
  for (const Row& row : rows) {
    list.push_back({{"solver", row.solver},
                    {"value", row.value},
                    {"upper_bound", row.bound},
                    {"gap", row.gap()},
                    {"nonzeros", row.nonzeros},
                    {"solve_seconds", row.seconds},
                    {"status", row.status},
                    {"message", row.message}});
  }
  const Row* const shared = shared_bound(rows);
  return {{"experiment", experiment},
          {"least_bound", shared == nullptr ? kNotMeasured : shared->bound},
          {"instances", instances},
          {"solvers", list}};
}

/// Throws InputError if the data cannot be read or have too few variables. The message names
/// options as `spca solve` does; the messages of the cells name them as experiments do.
void refuse_as_solve_does(const CompareSolversOptions& options, const Json& grid,
                          const GlobalOptions& global) {
  const Settings settings = read_settings(options.settings);
  const Dataset dataset = load_data(options.data, settings, global, 1);
  const Index p = dataset.covariance->variables();
  const auto refuse_beyond = [p](const char* option, Index number) {
    if (number > p) {
      throw InputError(fmt::format("{}: found {}; accepted: 1 to p = {}", option, number, p));
    }
  };
  refuse_beyond("--components", grid["components"].get<Index>());
  for (const Index k : parse_cardinality("--cardinality", options.cardinality)) {
    refuse_beyond("--cardinality", k);
  }
}

/// Returns true if no solver has started to solve, in which case the common input may be wrong.
bool all_failed(const std::vector<Row>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const Row& row) {
    return row.status == status_name(Status::kFailed) && std::isnan(row.seconds);
  });
}

/// Throws InputError if the data are not in a regular file: an experiment reads its file again, but
/// the content of a pipe can be read only once.
void refuse_to_save_pipe(const std::string& path) {
  std::error_code error;
  const fs::path data = select_in_file(path).path;
  if (fs::exists(data, error) && !fs::is_regular_file(data, error)) {
    throw InputError(fmt::format(
        "--save: {} is not a regular file, which an experiment could read again; accepted: a file",
        path));
  }
}

/// Prints how the file was read. The cells are processes of their own and read it again. Errors are
/// left to them: the file may be too large for this process beside the others.
void say_notes(const CompareSolversOptions& options, const GlobalOptions& global) {
  if (options.quiet || options.data.data.empty()) {
    return;
  }
  try {
    const Dataset dataset = load_data(options.data, read_settings(options.settings), global, 1);
    for (const std::string& note : dataset.notes) {
      say("spca: {}", note);
    }
  } catch (const InputError&) {
  }
}

int compare_solvers(const CompareSolversOptions& options, const GlobalOptions& global) {
  const fs::path file = fs::absolute(options.save.empty() ? "comparison.json" : options.save);
  if (!options.save.empty() && (file.extension() != ".json" || !has_folder(file))) {
    throw InputError(fmt::format(
        "--save: found \"{}\"; accepted: a file that ends in .json, in an existing folder",
        options.save));
  }
  if (!options.save.empty() && !options.data.data.empty()) {
    refuse_to_save_pipe(input_path(options.data.data));
  }
  const Json json = experiment_json(options, file);
  say_notes(options, global);
  const TemporaryFolder folder;
  const fs::path written = folder.path() / file.filename();
  write_json_file(written, json);
  Experiment experiment = load_experiment(written, {}, data_directory(global.data_dir));
  experiment.folder = file.parent_path();
  experiment.path = file;
  RunArguments arguments;
  arguments.jobs = options.jobs;
  arguments.quiet = options.quiet;
  // The run of a saved experiment is kept beside its file, so that files of one name in several
  // folders keep their own.
  const fs::path directory = options.save.empty() ? folder.path() / "run"
                                                  : fs::path(options.save).parent_path() /
                                                        default_run_directory(experiment);
  const RunRequest request = run_request(experiment, arguments, directory, global);
  const RunSummary summary = run_experiment(request);
  const std::vector<Record> records = read_records(request.directory / "cells.jsonl");
  std::vector<Row> rows;
  for (const Record& record : records) {
    rows.push_back(row_of(record));
  }
  const FoundInstances found = instances_on_data(experiment, records, global);
  if (!rows.empty() && all_failed(rows)) {
    refuse_as_solve_does(options, json["grids"][kGrid], global);
  }
  sort_rows(rows);
  const std::vector<std::string> contradictions = hold_against_bounds(rows);
  if (options.json) {
    write_json(json_of(rows, json, best_known_json(found, records)));
  } else {
    std::string text = text_of(rows);
    for (const std::string& line : standing_lines(found, records)) {
      text += line + "\n";
    }
    write_stdout(text);
  }
  for (const std::string& contradiction : contradictions) {
    say("spca: {}", contradiction);
  }
  if (!options.save.empty()) {
    write_json_file(file, json);
    if (!options.quiet) {
      say("spca: `spca table {0}`, `spca report {0}` and `spca plot {0}` show this run, which is "
          "kept in {1}",
          options.save, request.directory.string());
    }
  }
  const int code = exit_code(summary);
  return code == kExitOk && !contradictions.empty() ? kExitFailed : code;
}

std::function<int()> declare_compare_solvers(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<CompareSolversOptions>();
  declare_data_arguments(declare, options->data);
  declare.option("--cardinality K[,K...]", options->cardinality,
                 "Number of nonzeros of every component, or of each one.");
  declare.option("--components N", options->components,
                 "Number of components (default: the number of Ks).");
  declare.option(
      "--solvers NAME[,NAME...]", options->solvers,
      "Names or globs of the solvers (default: six or seven, one of which proves a bound). Options "
      "follow in brackets, as in 'search[rounds=1000]'.");
  declare.option(
      "--deflation NAME", options->deflation,
      "Deflation between the components of a one-component solver (default remove-support).");
  declare.repeatable("--set OPTION=VALUE", options->settings,
                     "Set dataset.OPTION of the data set or of a docword file.");
  declare.option("--time-limit SECONDS", options->time_limit,
                 "Time limit of each solver (default 10).");
  declare_seed(declare, options->seed);
  declare.option(
      "-j,--jobs N", options->jobs,
      "Number of solvers that run at a time (default 1). More of them disturb the times.");
  declare.option("--save FILE.json", options->save,
                 "Also write the experiment to FILE.json, and keep its run, for `spca table`, "
                 "`spca report`, `spca plot` and `spca run`.");
  declare.flag("--json", options->json, "Print JSON instead of a table.");
  declare.flag("-q,--quiet", options->quiet, "Print no notes and no progress on standard error.");
  return [options, &global] { return compare_solvers(*options, global); };
}

SPCA_COMMAND("compare-solvers", CommandGroup::kYourData,
             "Compare several solvers on your own data: value, bound, gap and time",
             "  spca compare-solvers --data x.csv --cardinality 10\n"
             "  spca compare-solvers --data x.csv --cardinality 10 --solvers 'tpower,gpower-*'\n"
             "  spca compare-solvers --data x.csv --cardinality 5,5 --time-limit 60 --save x.json",
             declare_compare_solvers);

}  // namespace
}  // namespace spca::cli

#include "spca/cli/solve_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "spca/cli/arguments.h"
#include "spca/error.h"
#include "spca/sha256.h"

namespace spca::cli {
namespace {

constexpr const char* kDefaultDeflation = "remove-support";
constexpr std::string_view kDatasetPrefix = "dataset.";

/// `--set` of the solver and, under the prefix "dataset.", of the data set.
struct Settings {
  Json solver = Json::object();
  Json dataset = Json::object();
};

Settings read_settings(const std::vector<std::string>& assignments) {
  Settings settings;
  for (const std::string& assignment : assignments) {
    if (assignment.starts_with(kDatasetPrefix)) {
      set_option(settings.dataset, assignment.substr(kDatasetPrefix.size()));
    } else {
      set_option(settings.solver, assignment);
    }
  }
  return settings;
}

void check_source(const SolveWords& words, const Settings& settings) {
  if (words.data.empty() == words.dataset.empty()) {
    throw InputError(
        fmt::format("{}; accepted: one of --data FILE and --dataset NAME",
                    words.data.empty() ? "no data given" : "--data and --dataset are both given"));
  }
  if (words.center && words.no_center) {
    throw InputError("--center and --no-center are both given; accepted: one of them");
  }
  if (!words.kind.empty() && words.kind != "data" && words.kind != "covariance") {
    throw InputError(fmt::format("--kind: found \"{}\"{}; accepted: data, covariance", words.kind,
                                 did_you_mean(words.kind, {"data", "covariance"})));
  }
  const char* centering = words.center ? "--center" : words.no_center ? "--no-center" : nullptr;
  const char* preparation = centering != nullptr   ? centering
                            : !words.scale.empty() ? "--scale"
                                                   : nullptr;
  if (!words.dataset.empty()) {
    const char* refused = !words.kind.empty() ? "--kind" : preparation;
    if (refused != nullptr) {
      throw InputError(fmt::format(
          "{}: not with --dataset, whose preparation is fixed; accepted: with --data", refused));
    }
  } else if (!settings.dataset.empty()) {
    throw InputError("--set dataset.*: not with --data; accepted: with --dataset");
  } else if (words.kind == "covariance" && preparation != nullptr) {
    throw InputError(fmt::format(
        "{}: not with --kind covariance, which is taken as it is; accepted: with --kind data",
        preparation));
  }
}

FileRequest file_request(const SolveWords& words) {
  FileRequest request;
  request.path = words.data;
  request.is_covariance = words.kind == "covariance";
  if (words.center || words.no_center) {
    request.centered = words.center;
  }
  if (!words.scale.empty()) {
    try {
      request.scale = scale_from_name(words.scale);
    } catch (const InputError&) {
      throw InputError(fmt::format("--scale: found \"{}\"; accepted: n, n-1, none", words.scale));
    }
  }
  return request;
}

/// The seeds of the data and of the solver differ: a random start must not be a column of the data.
std::uint64_t derived_seed(std::uint64_t seed, const char* purpose) {
  return hash64(fmt::format("{}/{}", purpose, seed));
}

Dataset load(const SolveWords& words, const Settings& settings, const GlobalOptions& global,
             std::uint64_t seed) {
  if (!words.data.empty()) {
    return read_dataset(file_request(words));
  }
  const DatasetEntry& entry = DatasetRegistry::instance().get(words.dataset, "--dataset");
  return entry.load(
      entry.complete_options(settings.dataset, "--set dataset"),
      {.data_dir = data_directory(global.data_dir), .seed = derived_seed(seed, "data")});
}

void read_sparsity(const SolveWords& words, const Settings& settings, SolveRequest& request) {
  const Traits& traits = request.solver->traits;
  if (!words.cardinality.empty()) {
    request.cardinality = parse_cardinality("--cardinality", words.cardinality);
  } else if (traits.rule == SparsityRule::kCardinality) {
    throw InputError(
        fmt::format("--cardinality: solver {} needs it; accepted: whole numbers >= 1 with commas "
                    "between them",
                    request.solver->name));
  }
  const auto given = static_cast<Index>(request.cardinality.size());
  request.components = words.components.empty() ? std::max(given, Index{1})
                                                : parse_whole("--components", words.components, 1);
  if (given == 1) {
    request.cardinality.resize(static_cast<std::size_t>(request.components),
                               request.cardinality[0]);
  } else if (given > 0 && given != request.components) {
    throw InputError(fmt::format(
        "--cardinality: {} numbers for {} components; accepted: one for all or one for each", given,
        request.components));
  }
  if (traits.rule == SparsityRule::kPenalty && given > 0 &&
      settings.solver.contains(traits.tuning.option)) {
    throw InputError(fmt::format(
        "--set {0}: it is tuned to the cardinality; accepted: one of --cardinality and --set {0}",
        traits.tuning.option));
  }
}

void check_size(const SolveRequest& request) {
  const Index p = request.covariance->variables();
  if (request.components > p) {
    throw InputError(
        fmt::format("--components: found {}; accepted: 1 to p = {}", request.components, p));
  }
  for (const Index k : request.cardinality) {
    if (k > p) {
      throw InputError(fmt::format("--cardinality: found {}; accepted: 1 to p = {}", k, p));
    }
  }
}

}  // namespace

void declare_solve_words(Declarations& declare, SolveWords& words) {
  declare.option("--data", words.data,
                 "a file: CSV, .npy, Matrix Market or UCI docword, plain or gzipped");
  declare.option("--dataset", words.dataset, "a data set from `spca list datasets`");
  declare.option("--kind", words.kind, "what the file holds: data (default) or covariance");
  declare.flag("--center", words.center, "subtract the column means (default, but for docword)");
  declare.flag("--no-center", words.no_center, "take the data as they are");
  declare.option("--scale", words.scale, "S = X'X / n (default), / n-1, or none");
  declare.required_option("--solver", words.solver, "a solver from `spca list solvers`");
  declare.option("--cardinality", words.cardinality,
                 "K[,K...]: nonzeros of every component or of each. The penalty of a penalty "
                 "solver is tuned to it; without it the penalty is taken as set");
  declare.option("--components", words.components, "how many (default: as many as there are Ks)");
  declare.option("--deflation", words.deflation,
                 "between the components of a one-component solver (default remove-support: "
                 "disjoint components); see `spca list deflations`");
  declare.repeatable(
      "--set", words.settings,
      "option=value of the solver, dataset.option=value of the data set; repeatable");
  declare.option("--seed", words.seed, "of every random number (default 1)");
  declare.option("--time-limit", words.time_limit, "seconds for the solve (default: none)");
}

PreparedSolve prepare_solve(const SolveWords& words, const GlobalOptions& global) {
  PreparedSolve prepared;
  const Settings settings = read_settings(words.settings);
  check_source(words, settings);
  SolveRequest& request = prepared.request;
  request.solver = &SolverRegistry::instance().get(words.solver, "--solver");
  request.options = request.solver->complete_options(settings.solver, "--set");
  read_sparsity(words, settings, request);
  const DeflationEntry& deflation = DeflationRegistry::instance().get(
      words.deflation.empty() ? kDefaultDeflation : words.deflation, "--deflation");
  if (!request.solver->traits.multiple_components) {
    request.deflation = &deflation;
  } else if (!words.deflation.empty()) {
    throw InputError(fmt::format(
        "--deflation: solver {} finds all components at once; accepted: with a one-component "
        "solver",
        request.solver->name));
  }
  if (!words.time_limit.empty()) {
    request.seconds = parse_positive("--time-limit", words.time_limit);
  }
  prepared.seed = words.seed.empty() ? 1 : parse_seed("--seed", words.seed);
  request.seed = derived_seed(prepared.seed, "solver");
  prepared.unconstrained =
      request.solver->traits.rule == SparsityRule::kDense || request.cardinality.empty();

  prepared.dataset = load(words, settings, global, prepared.seed);
  request.covariance = prepared.dataset.covariance;
  check_size(request);
  return prepared;
}

}  // namespace spca::cli

#include "harness/cli/solve_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/cli/arguments.h"
#include "harness/cli/cardinality_suggestion.h"
#include "harness/cli/guarded_solver.h"
#include "harness/cli/ranks.h"
#include "harness/peers/peer.h"
#include "spca/base/error.h"

namespace spca::cli {
namespace {

constexpr const char* kDefaultDeflation = "remove-support";

void set_sparsity(const SolveValues& values, const ArgumentNames& names, SolveRequest& request) {
  const Traits& traits = request.solver->traits;
  request.cardinality = values.cardinality;
  if (values.cardinality.empty() && traits.rule == SparsityRule::kCardinality) {
    throw InputError(fmt::format("{}{}: solver {} needs it; accepted: {}", names.prefix,
                                 names.cardinality, request.solver->name, names.cardinalities));
  }
  const auto given = static_cast<Index>(request.cardinality.size());
  request.components = values.components.value_or(std::max(given, Index{1}));
  if (given > 1 && given != request.components) {
    throw InputError(
        fmt::format("{}{}: {} numbers for {} components; accepted: one for all or one for each",
                    names.prefix, names.cardinality, given, request.components));
  }
  if (traits.rule == SparsityRule::kPenalty && given > 0 &&
      values.options.contains(traits.tuning.option)) {
    throw InputError(
        fmt::format("{0} {1}: it is tuned to the cardinality; accepted: one of {2}{3} and {0} {1}",
                    names.options, traits.tuning.option, names.prefix, names.cardinality));
  }
}

/// One cardinality holds for all components. Not written out before their number is known to be at
/// most p: a mistyped digit must not fill the memory.
void write_out_cardinality(SolveRequest& request) {
  if (request.cardinality.size() == 1) {
    request.cardinality.resize(static_cast<std::size_t>(request.components),
                               request.cardinality[0]);
  }
}

void check_size(const SolveRequest& request, const ArgumentNames& names) {
  const Index p = request.covariance->variables();
  if (request.components > p) {
    throw InputError(fmt::format("{}{}: found {}; accepted: 1 to p = {}", names.prefix,
                                 names.components, request.components, p));
  }
  for (const Index k : request.cardinality) {
    if (k > p) {
      throw InputError(fmt::format("{}{}: found {}; accepted: 1 to p = {}", names.prefix,
                                   names.cardinality, k, p));
    }
  }
}

void set_deflation(const SolveValues& values, const ArgumentNames& names, SolveRequest& request) {
  const DeflationEntry& deflation = DeflationRegistry::instance().get(
      values.deflation.empty() ? kDefaultDeflation : values.deflation, names.prefix + "deflation");
  if (!request.solver->traits.multiple_components) {
    request.deflation = &deflation;
  } else if (!values.deflation.empty()) {
    throw InputError(fmt::format(
        "{}deflation: solver {} finds all components at once; accepted: with a one-component "
        "solver",
        names.prefix, request.solver->name));
  }
}

const ArgumentNames kWords = {.prefix = "--",
                              .options = "--set",
                              .cardinalities = "whole numbers >= 1 with commas between them"};

SolveValues values_of(const SolveArguments& arguments, Json options) {
  SolveValues values;
  values.solver = &guarded_solver(
      find_solver(arguments.solver.empty() ? kDefaultSolver : arguments.solver, "--solver"));
  values.options = std::move(options);
  if (!arguments.cardinality.empty()) {
    values.cardinality = parse_cardinality("--cardinality", arguments.cardinality);
  }
  if (!arguments.components.empty()) {
    values.components = parse_whole("--components", arguments.components, 1);
  }
  values.deflation = arguments.deflation;
  if (!arguments.time_limit.empty()) {
    values.seconds = parse_positive("--time-limit", arguments.time_limit);
  }
  if (!arguments.threads.empty()) {
    values.threads = static_cast<int>(std::min<Index>(
        parse_whole("--threads", arguments.threads, 1), std::numeric_limits<int>::max()));
  }
  values.seed = arguments.seed.empty() ? 1 : parse_seed("--seed", arguments.seed);
  return values;
}

}  // namespace

void declare_solve_words(Declarations& declare, SolveArguments& arguments) {
  declare_data_arguments(declare, arguments.data);
  declare.option("--solver", arguments.solver,
                 "a solver from `spca list solvers` (default search, which begins with the answer "
                 "of tpower and improves it by exchanges and hops)");
  declare.option("--cardinality", arguments.cardinality,
                 "K[,K...]: nonzeros of every component or of each (default: one that `spca path` "
                 "suggests, at most p over the number of components). The penalty of a penalty "
                 "solver is tuned to it; without it the "
                 "penalty is taken as set");
  declare.option("--components", arguments.components,
                 "how many (default: as many as there are Ks)");
  declare.option("--deflation", arguments.deflation,
                 "between the components of a one-component solver (default remove-support: "
                 "disjoint components); see `spca list deflations`");
  declare.repeatable("--set", arguments.settings,
                     "option=value of the solver, dataset.option=value of the data set (of a "
                     "docword file: weights, "
                     "minimum_count, minimum_letters, stop_words); repeatable");
  declare.option("--seed", arguments.seed, "of every random number (default 1)");
  declare.option("--threads", arguments.threads,
                 "that the solver may use (default 1); the answer does not depend on them");
  declare.option("--time-limit", arguments.time_limit,
                 "seconds for the solve (default: none), and as many for measuring after it");
  declare.option("--certify", arguments.certify,
                 "seconds to search for a bound on answers of this kind: by branch-bound (one "
                 "component), branch-price (disjoint ones) or upper_bound_orthogonal");
}

PreparedSolve prepare_solve(const SolveValues& values, const ArgumentNames& names,
                            const std::function<Dataset()>& load) {
  PreparedSolve prepared;
  SolveRequest& request = prepared.request;
  request.solver = values.solver;
  request.options = request.solver->complete_options(values.options, names.options);
  set_sparsity(values, names, request);
  set_deflation(values, names, request);
  request.seconds = values.seconds;
  request.threads = values.threads;
  prepared.seed = values.seed;
  request.seed = derived_seed(prepared.seed, "solver");
  prepared.unconstrained =
      request.solver->traits.rule == SparsityRule::kDense || request.cardinality.empty();

  const Budget clock;
  prepared.dataset = load();
  prepared.reading_seconds = clock.elapsed_seconds();
  request.covariance = prepared.dataset.covariance;
  check_size(request, names);
  write_out_cardinality(request);
  return prepared;
}

PreparedSolve prepare_solve(const SolveArguments& arguments, const GlobalOptions& global) {
  const Settings settings = read_settings(arguments.settings);
  check_data_arguments(arguments.data, settings);
  SolveValues values = values_of(arguments, settings.solver);
  std::vector<std::string> notes;
  if (arguments.solver.empty()) {
    notes.push_back(
        fmt::format("no --solver: {}, which improves the answer of tpower", values.solver->name));
  }
  const auto load = [&] { return load_data(arguments.data, settings, global, values.seed); };
  const bool is_free =
      values.cardinality.empty() && values.solver->traits.rule == SparsityRule::kCardinality;
  if (ranks() != nullptr) {
    check_ranks(*values.solver, values.threads);
    if (is_free) {
      throw InputError(
          "no --cardinality; accepted in spca-mpi: one, such as `spca path` suggests for some of "
          "the rows");
    }
    if (!arguments.certify.empty()) {
      throw InputError("--certify: not in ranks; accepted: with `spca solve`");
    }
  }
  const Budget clock;
  std::optional<Dataset> loaded;
  double reading_seconds = 0;
  if (is_free) {
    // What is wrong with the options is to be said before a path is solved.
    values.solver->complete_options(values.options, kWords.options);
    loaded = load();
    reading_seconds = clock.elapsed_seconds();
    const SuggestedCardinality suggested =
        suggest_cardinality(*loaded, values.seed, values.seconds);
    const Index p = loaded->covariance->variables();
    const Index r = values.components.value_or(1);
    const Index k = default_cardinality(suggested.cardinality, p, r);
    values.cardinality = {k};
    notes.push_back(fmt::format(
        "no --cardinality: k = {}, {}; `spca path` shows more", k,
        k < suggested.cardinality ? fmt::format("the most that {} of {} variables leave each other",
                                                fmt::format("{} components", r), p)
                                  : suggested.reason));
  }
  PreparedSolve prepared =
      prepare_solve(values, kWords, [&] { return is_free ? std::move(*loaded) : load(); });
  if (is_free) {
    prepared.reading_seconds = reading_seconds;
  }
  prepared.data = data_json(arguments.data, settings, prepared.dataset);
  prepared.notes = std::move(notes);
  return prepared;
}

}  // namespace spca::cli

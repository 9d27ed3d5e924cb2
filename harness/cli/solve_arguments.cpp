#include "harness/cli/solve_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/answers/cardinality_suggestion.h"
#include "harness/answers/guarded_solver.h"
#include "harness/cli/arguments.h"
#include "harness/cli/ranks.h"
#include "harness/peers/peer.h"
#include "harness/records/optimisation.h"
#include "spca/base/error.h"
#include "spca/covariance/deflation.h"

namespace spca::cli {
namespace {

const ArgumentNames kNames = {.prefix = "--",
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
  values.seed = seed_or_one("--seed", arguments.seed);
  return values;
}

/// Returns the reason of all components if they have one, else a clause for each component.
std::string reasons_of(const std::vector<SuggestedCardinality>& suggested) {
  const std::string& first = suggested.front().reason;
  std::vector<std::string> clauses;
  bool is_one = true;
  for (const SuggestedCardinality& one : suggested) {
    clauses.push_back(fmt::format("component {}: {}", clauses.size() + 1, one.reason));
    is_one = is_one && one.reason == first;
  }
  return is_one ? first : fmt::format("{}", fmt::join(clauses, "; "));
}

/// Sets the cardinalities that are suggested, and adds a note with the reason.
void choose_cardinality(const Dataset& dataset, SolveValues& values,
                        std::vector<std::string>& notes) {
  const Index p = dataset.covariance->variables();
  const Index r = values.components.value_or(1);
  const DeflationEntry& deflation = DeflationRegistry::instance().get(
      values.deflation.empty() ? kDefaultDeflation : values.deflation, "--deflation");
  const std::vector<SuggestedCardinality> suggested = suggest_cardinalities(
      dataset, deflation.keeps_data ? r : 1, deflation, values.seed, values.seconds);
  if (r > 1 && std::ssize(suggested) == r) {
    for (const SuggestedCardinality& one : suggested) {
      values.cardinality.push_back(one.cardinality);
    }
    notes.push_back(fmt::format("no --cardinality: k = {}, {}; `spca path --components` shows more",
                                fmt::join(values.cardinality, ","), reasons_of(suggested)));
    return;
  }
  const Index wanted = suggested.front().cardinality;
  const Index k = default_cardinality(wanted, p, r);
  values.cardinality = {k};
  notes.push_back(fmt::format(
      "no --cardinality: k = {}, {}; `spca path` shows more", k,
      k < wanted ? fmt::format("the most that {} components of {} variables leave each other", r, p)
                 : suggested.front().reason));
}

}  // namespace

void declare_solve_arguments(Declarations& declare, SolveArguments& arguments) {
  declare_data_arguments(declare, arguments.data);
  declare_draw(declare, arguments.data);
  declare.option("--solver NAME", arguments.solver,
                 "Solver from `spca list solvers` (default search, which starts from the answer of "
                 "tpower and improves it by exchanges and hops).");
  declare.option(
      "--cardinality K[,K...]", arguments.cardinality,
      "Number of nonzeros of every component, or of each one (default: one that `spca path` "
      "suggests, at most p over the number of components). The penalty of a penalty solver is "
      "tuned to it; without a cardinality the penalty is used as set.");
  declare.option("--components N", arguments.components,
                 "Number of components (default: the number of Ks).");
  declare.option("--deflation NAME", arguments.deflation,
                 "Deflation from `spca list deflations` between the components of a one-component "
                 "solver (default remove-support, which gives disjoint components).");
  declare.repeatable("--set OPTION=VALUE", arguments.settings,
                     "Set OPTION of the solver, or dataset.OPTION of the data set. A docword file "
                     "has weights, minimum_count, minimum_letters and stop_words.");
  declare_seed(declare, arguments.seed);
  declare.option(
      "--threads N", arguments.threads,
      "Number of threads that the solver may use (default 1). The answer does not depend on it.");
  declare.option(
      "--time-limit SECONDS", arguments.time_limit,
      "Time limit of the solve (default: none). The measurements after it take at most as "
      "long as the solve, or 10 seconds.");
  declare.option("--certify SECONDS", arguments.certify,
                 "Search for a bound on answers of this kind within SECONDS, by branch-bound (one "
                 "component), branch-price (disjoint components) or upper_bound_orthogonal.");
  declare.option(
      "-o,--output FILE", arguments.output,
      "Also write the result to FILE.json (`spca schema result`), or the loadings to FILE.csv.");
  declare.option("--scores FILE.csv", arguments.scores,
                 "Also write the scores of the samples, with their names, to FILE.csv.");
  declare.flag("--json", arguments.json, "Print JSON (`spca schema result`) instead of a table.");
  declare.flag("-q,--quiet", arguments.quiet, "Print no notes and no progress on standard error.");
  declare.flag("-v,--verbose", arguments.verbose,
               "Also print how the data were read and which options the solver uses.");
}

Request make_request(const SolveArguments& arguments, const GlobalOptions& global) {
  const Settings settings = read_settings(arguments.settings);
  check_data_arguments(arguments.data, settings);
  SolveValues values = values_of(arguments, settings.solver);
  std::vector<std::string> notes;
  if (arguments.solver.empty()) {
    notes.push_back(
        fmt::format("no --solver: {}, which improves the answer of tpower", values.solver->name));
  }
  if (is_unoptimised(*values.solver)) {
    notes.push_back(
        fmt::format("{} was compiled without optimisation (CMAKE_BUILD_TYPE): its time "
                    "says little",
                    values.solver->name));
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
    // Wrong options are to be reported before a path is solved.
    values.solver->complete_options(values.options, kNames.options);
    loaded = load();
    reading_seconds = clock.elapsed_seconds();
    choose_cardinality(*loaded, values, notes);
  }
  Request request =
      make_request(values, kNames, [&] { return is_free ? std::move(*loaded) : load(); });
  if (is_free) {
    request.reading_seconds = reading_seconds;
  }
  request.data = data_json(arguments.data, settings, request.dataset);
  if (ranks() == nullptr) {
    request.origin = data_origin(arguments.data, settings, global, values.seed);
  }
  request.notes = std::move(notes);
  return request;
}

}  // namespace spca::cli

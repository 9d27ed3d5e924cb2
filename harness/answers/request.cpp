#include "harness/answers/request.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/answers/derived_seed.h"
#include "spca/base/error.h"
#include "spca/solving/budget.h"

namespace spca {
namespace {

void set_sparsity(const SolveValues& values, const ArgumentNames& names, SolveRequest& solve) {
  const Traits& traits = solve.solver->traits;
  solve.cardinality = values.cardinality;
  if (values.cardinality.empty() && traits.rule == SparsityRule::kCardinality) {
    throw InputError(fmt::format("{}{}: solver {} needs it; accepted: {}", names.prefix,
                                 names.cardinality, solve.solver->name, names.cardinalities));
  }
  const auto given = static_cast<Index>(solve.cardinality.size());
  solve.components = values.components.value_or(std::max(given, Index{1}));
  if (given > 1 && given != solve.components) {
    throw InputError(
        fmt::format("{}{}: {} numbers for {} components; accepted: one for all or one for each",
                    names.prefix, names.cardinality, given, solve.components));
  }
  if (traits.rule == SparsityRule::kPenalty && given > 0 &&
      values.options.contains(traits.tuning.option)) {
    throw InputError(
        fmt::format("{0} {1}: it is tuned to the cardinality; accepted: one of {2}{3} and {0} {1}",
                    names.options, traits.tuning.option, names.prefix, names.cardinality));
  }
}

/// Copies a single cardinality for all components. This must wait until the number of components is
/// known to be at most p: a mistyped digit must not exhaust the memory.
void write_out_cardinality(SolveRequest& solve) {
  if (solve.cardinality.size() == 1) {
    solve.cardinality.resize(static_cast<std::size_t>(solve.components), solve.cardinality[0]);
  }
}

void check_size(const SolveRequest& solve, const ArgumentNames& names) {
  const Index p = solve.covariance->variables();
  if (solve.components > p) {
    throw InputError(fmt::format("{}{}: found {}; accepted: 1 to p = {}", names.prefix,
                                 names.components, solve.components, p));
  }
  for (const Index k : solve.cardinality) {
    if (k > p) {
      throw InputError(fmt::format("{}{}: found {}; accepted: 1 to p = {}", names.prefix,
                                   names.cardinality, k, p));
    }
  }
}

void set_deflation(const SolveValues& values, const ArgumentNames& names, SolveRequest& solve) {
  const DeflationEntry& deflation = DeflationRegistry::instance().get(
      values.deflation.empty() ? kDefaultDeflation : values.deflation, names.prefix + "deflation");
  if (!solve.solver->traits.multiple_components) {
    solve.deflation = &deflation;
  } else if (!values.deflation.empty()) {
    throw InputError(fmt::format(
        "{}deflation: solver {} finds all components at once; accepted: with a one-component "
        "solver",
        names.prefix, solve.solver->name));
  }
}

}  // namespace

Request make_request(const SolveValues& values, const ArgumentNames& names,
                     const std::function<Dataset()>& load) {
  Request request;
  SolveRequest& solve = request.solve;
  solve.solver = values.solver;
  solve.options = solve.solver->complete_options(values.options, names.options);
  set_sparsity(values, names, solve);
  set_deflation(values, names, solve);
  solve.seconds = values.seconds;
  solve.threads = values.threads;
  request.seed = values.seed;
  solve.seed = derived_seed(request.seed, "solver");
  request.unconstrained =
      solve.solver->traits.rule == SparsityRule::kDense || solve.cardinality.empty();

  const Budget clock;
  request.dataset = load();
  request.reading_seconds = clock.elapsed_seconds();
  solve.covariance = request.dataset.covariance;
  check_size(solve, names);
  write_out_cardinality(solve);
  return request;
}

}  // namespace spca

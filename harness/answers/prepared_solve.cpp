#include "harness/answers/prepared_solve.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/answers/derived_seed.h"
#include "spca/base/error.h"
#include "spca/solving/budget.h"

namespace spca {
namespace {

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

/// Copies a single cardinality for all components. This must wait until the number of components is
/// known to be at most p: a mistyped digit must not exhaust the memory.
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

}  // namespace

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

}  // namespace spca

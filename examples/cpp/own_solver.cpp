/// Runs a solver of one's own beside three others. It registers itself, as every solver of the
/// library does, and is then called, tuned and deflated like them.

#include <cstdio>

#include "spca/covariance/covariance_dense.h"
#include "spca/plugin.h"
#include "spca/solving/solve.h"

namespace {

using namespace spca;  // NOLINT: as in the file of a solver, which is inside the namespace

struct PowerOptions {
  Index steps = 100;
  void describe(OptionVisitor& visit) {
    visit("steps", steps, "power steps, each cut to k", at_least(1));
  }
};

/// Power steps that keep the k largest entries, from the variable of largest variance.
Solution solve_power(const Problem& problem, const PowerOptions& options, Budget& budget) {
  const Support start = top_k(problem.covariance.diagonal(), 1);
  Component v{.support = start, .values = Vector::Ones(1)};
  Vector product;
  for (Index step = 0; step < options.steps && budget.next(); ++step) {
    problem.covariance.multiply(v, product);
    v = normalized(restrict_to(product, top_k(product, problem.cardinality[0])));
  }
  return make_solution({v}, budget);
}

SPCA_SOLVER("my-power", solve_power,
            (Traits{.summary = "power steps", .problem = "max v'Sv", .source = "mine"}));

}  // namespace

int main() {
  Random random(3);
  Matrix data(50, 300);
  for (double& entry : data.reshaped()) {
    entry = random.normal();
  }
  const auto covariance = make_covariance(std::move(data), DataForm{});
  for (const char* name : {"my-power", "threshold", "fullpath", "tpower"}) {
    const SolverEntry& solver = SolverRegistry::instance().get(name, "solver");
    const SolveOutcome outcome = solve({.covariance = covariance,
                                        .solver = &solver,
                                        .options = solver.complete_options(Json::object(), ""),
                                        .cardinality = {10}});
    std::printf("%-10s %.5f with %4.0f products, %s\n", name,
                covariance->quadratic_form(outcome.solution.components.at(0)),
                outcome.cost.products, status_name(outcome.solution.status));
  }
  return 0;
}

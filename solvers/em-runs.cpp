/// Several sparse components by expectation maximisation, one after the other; the best of many
/// whole runs.
///
/// Problem  maximise sum_j v_j'Sv_j  s.t. ||v_j||_2 = 1, ||v_j||_0 <= k_j, disjoint supports
/// Step     a run finds one component after the other from one random start each, and removes the
///          variables of a component before the next (the step is that of solver em: v from Sv on
///          its k largest entries). The run of the largest sum is kept
/// Start    standard normal vectors of length p, drawn for each run and component
/// Stops    after `runs` runs; a component ends when a step raises v'Sv by at most `tolerance` of
///          itself
/// Cost     r times that of one start of em, for each run
/// Source   Sigg, Buhmann, Expectation-maximization for sparse and non-negative PCA, ICML 2008, in
///          the form of Asteris, Papailiopoulos, Kyrillidis, Dimakis, NIPS 2015, section 5: "for
///          algorithms that are randomly initialized, we depict best results over multiple random
///          restarts". Their number is not given
/// Differs  v is normalised after every step, which changes no support. Solver em restarts each
///          component, and so takes the best first; here a poor first component may allow better
///          later ones. Loadings are refitted on their supports unless `refit` is false

#include <fmt/format.h>

#include "spca/base/borrowed.h"
#include "spca/base/random.h"
#include "spca/base/sha256.h"
#include "spca/covariance/deflated_covariance.h"
#include "spca/methods/ascent/em_ascent.h"
#include "spca/methods/joint/disjoint.h"
#include "spca/methods/joint/padding.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_em_runs {
namespace {

struct EmRunsOptions {
  Index runs = 25;
  double tolerance = 1e-8;
  bool refit = true;

  void describe(OptionVisitor& visit) {
    visit("runs", runs, "number of whole runs, of which the best is kept", at_least(1));
    visit("tolerance", tolerance, "relative increase of v'Sv below which a component is done",
          at_least(0));
    visit("refit", refit,
          "replace the loadings by the leading eigenvector of S restricted to their support");
  }
};

struct EmRun {
  std::vector<Component> components;  // empty ones if no variance was left
  double value = 0;
};

/// Makes the run of this number. Its draws do not depend on the runs before it.
EmRun run_em(const Problem& problem, const EmRunsOptions& options, Index number, Budget& budget) {
  Random random(hash64(fmt::format("{}/run {}", problem.seed, number)));
  const auto left = DeflatedCovariance::extend(borrowed(problem.covariance));
  EmRun run;
  for (const Index k : problem.cardinality) {
    budget.begin_loop();
    const EmAscent found =
        em_ascent(*left, k, em_random_start(left->variables(), random), options.tolerance, budget);
    Component component = found.component;
    if (!component.support.empty() && options.refit) {
      component = best_on_support(problem.covariance, component.support).component;
    }
    if (!component.support.empty()) {
      run.value += problem.covariance.quadratic_form(component);
      left->remove(component.support);
    }
    run.components.push_back(std::move(component));
  }
  return run;
}

Solution solve_em_runs(const Problem& problem, const EmRunsOptions& options, Budget& budget) {
  if (lacks_variables(problem)) {
    return solve_padded(
        problem, [&](const Problem& padded) { return solve_em_runs(padded, options, budget); });
  }
  EmRun best;
  double worst = std::numeric_limits<double>::infinity();
  Index finished = 0;
  while (finished < options.runs && !budget.out_of_time()) {
    EmRun run = run_em(problem, options, finished, budget);
    // A run that the clock interrupted has unfinished components.
    if (budget.out_of_time()) {
      break;
    }
    ++finished;
    worst = std::min(worst, run.value);
    if (run.value > best.value) {
      best = std::move(run);
    }
  }
  if (best.components.empty()) {
    return budget.out_of_time() ? make_solution({}, budget) : skipped(kNoVariance);
  }
  Solution solution = make_solution(
      components_in_order(problem.covariance, std::move(best.components), problem.cardinality),
      budget);
  solution.facts = {
      {"runs", static_cast<double>(finished)}, {"best_run", best.value}, {"worst_run", worst}};
  return solution;
}

SPCA_SOLVER("em-runs", solve_em_runs,
            (Traits{.summary = "disjoint components by expectation maximisation, best whole run",
                    .problem = "max sum v_j'Sv_j  s.t. ||v_j|| = 1, ||v_j||_0 <= k_j, disjoint "
                               "supports",
                    .source = "Sigg, Buhmann, ICML 2008; Asteris et al., NIPS 2015, section 5",
                    .multiple_components = true,
                    .disjoint = true,
                    .seeded = true}));

}  // namespace
}  // namespace spca::solver_em_runs

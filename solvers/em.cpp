/// Expectation maximisation for one sparse component, with random restarts.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     E: y = Xv / v'v;  M: w = X'y / y'y, v = w on I_k(w). Only the direction of w matters,
///          and w is proportional to Sv, so that S alone serves
/// Start    standard normal vectors of length p, `restarts` of them, and the start that the problem
///          gives; the best result is kept
/// Stops    when a step raises v'Sv by at most `tolerance` of itself
/// Cost     a restart: one dense product with S, then one product with a k-sparse vector a step
/// Source   Sigg, Buhmann, Expectation-maximization for sparse and non-negative PCA, ICML 2008
///          (the limit of vanishing noise, with the cardinality constraint)
/// Differs  v is normalised after every step, which changes no support; the best restart is
///          refitted on its support unless `refit` is false

#include <cmath>
#include <limits>

#include "spca/algebra/eigenpairs.h"
#include "spca/algebra/sparsify.h"
#include "spca/base/random.h"
#include "spca/solving/solver.h"

namespace spca {
namespace {

struct EmOptions {
  Index restarts = 10;
  double tolerance = 1e-8;  // far below what a table prints; the refit removes the rest
  bool refit = true;

  void describe(OptionVisitor& visit) {
    visit("restarts", restarts, "random starts, of which the best result is kept", at_least(1));
    visit("tolerance", tolerance, "relative increase of v'Sv below which a restart ends",
          at_least(0));
    visit("refit", refit,
          "replace the best loadings by the leading eigenvector of S restricted to their support");
  }
};

struct Ascent {
  Component component;  // empty if S is zero
  double value = -std::numeric_limits<double>::infinity();
};

Vector random_start(Index p, Random& random) {
  Vector start(p);
  for (double& entry : start) {
    entry = random.normal();
  }
  return start;
}

/// `start` is dense or a Component.
template <class Start>
Ascent ascend(const Problem& problem, const EmOptions& options, const Start& start,
              Budget& budget) {
  const Index k = problem.cardinality[0];
  Vector product;
  problem.covariance.multiply(start, product);
  Ascent current;
  while (budget.next(current.value)) {
    Component next = normalized(restrict_to(product, top_k(product, k)));
    if (next.support.empty()) {
      break;
    }
    problem.covariance.multiply(next, product);
    const double value = next.values.dot(product(next.support));
    const bool stalled = value - current.value <= options.tolerance * std::abs(value);
    // A step along an S that a deflation made indefinite can lower v'Sv. The best of the steps is
    // kept.
    if (value > current.value) {
      current = {.component = std::move(next), .value = value};
    }
    if (stalled) {
      break;
    }
  }
  return current;
}

Solution solve_em(const Problem& problem, const EmOptions& options, Budget& budget) {
  Random random(problem.seed);
  Ascent best;
  const auto try_start = [&](const auto& start) {
    budget.begin_loop();
    Ascent found = ascend(problem, options, start, budget);
    if (found.value > best.value) {
      best = std::move(found);
    }
  };
  for (Index restart = 0; restart < options.restarts && !budget.out_of_time(); ++restart) {
    try_start(random_start(problem.covariance.variables(), random));
  }
  if (problem.start != nullptr && !budget.out_of_time()) {
    try_start(*problem.start);
  }
  if (best.component.support.empty()) {
    return budget.out_of_time() ? make_solution({}, budget)
                                : skipped("no variable with positive variance is left");
  }
  return make_solution(
      {options.refit ? best_on_support(problem.covariance, best.component.support).component
                     : std::move(best.component)},
      budget);
}

SPCA_SOLVER("em", solve_em,
            (Traits{.summary = "expectation maximisation from random starts",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "Sigg, Buhmann, ICML 2008",
                    .seeded = true,
                    .warm_start = true}));

}  // namespace
}  // namespace spca

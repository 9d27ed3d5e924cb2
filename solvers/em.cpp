/// Expectation maximisation for one sparse component, with random restarts.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     E: y = Xv / v'v;  M: w = X'y / y'y, v = w on I_k(w). Only the direction of w matters,
///          and w is proportional to Sv, so S alone suffices
/// Start    each of `starts`, and the start that the problem gives; the best result is kept:
///          random     `restarts` standard normal vectors of length p, as in the paper; also if
///                     `starts` names exchanges alone
///          columns    the k largest entries of a column of S, for the two columns with the best
///                     scores (column_starts.h)
///          exchanges  the best result of the others: one variable for another, and power steps
///                     again, as long as that helps (column_exchange.h)
/// Stops    when a step raises v'Sv by at most `tolerance` of itself
/// Cost     a restart: one dense product with S, then one product with a k-sparse vector a step.
///          columns takes 16 columns of S, or all if there are at most 64; if variances tie and
///          columns cost little, all tied ones, at most 4000. exchanges takes 8 columns, and some
///          more for each exchange that helps
/// Source   Sigg, Buhmann, Expectation-maximization for sparse and non-negative PCA, ICML 2008
///          (the limit of vanishing noise, with the cardinality constraint)
/// Differs  v is normalised after every step, which changes no support; the best restart is
///          refitted on its support unless `refit` is false. The paper starts at random alone. On
///          48 problems (bench/notes/2026-11-22-correlation-matrices.md) ten such starts find 25
///          optima, and all of `starts` find 46

#include <algorithm>

#include "spca/base/random.h"
#include "spca/methods/ascent/column_exchange.h"
#include "spca/methods/ascent/column_starts.h"
#include "spca/methods/ascent/em_ascent.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_em {
namespace {

const Choices kStarts = {"random", "columns", "exchanges"};
// Number of columns that the start "columns" tries. With two, a solve takes 1.75 times as long as
// with random starts alone.
constexpr Index kColumnsTried = 2;

struct EmOptions {
  std::vector<std::string> starts = {"random", "columns", "exchanges"};
  Index restarts = 10;
  // far below the digits of a table; the refit removes the remaining error
  double tolerance = 1e-8;
  bool refit = true;

  void describe(OptionVisitor& visit) {
    visit("starts", starts, "where the iteration begins; the best result is kept", kStarts);
    visit("restarts", restarts, "number of random starts, of which the best result is kept",
          at_least(1));
    visit("tolerance", tolerance, "relative increase of v'Sv below which a restart ends",
          at_least(0));
    visit("refit", refit,
          "replace the best loadings by the leading eigenvector of S restricted to their support");
  }
};

Solution solve_em(const Problem& problem, const EmOptions& options, Budget& budget) {
  Random random(problem.seed);
  EmAscent best;
  const auto try_start = [&](const auto& start) {
    budget.begin_loop();
    EmAscent found =
        em_ascent(problem.covariance, problem.cardinality[0], start, options.tolerance, budget);
    if (found.value > best.value) {
      best = std::move(found);
    }
  };
  const auto has_start = [&](const char* name) {
    return std::count(options.starts.begin(), options.starts.end(), name) > 0;
  };
  const bool has_variance = has_positive_variance(problem.covariance);
  if (has_start("random") || !has_start("columns")) {
    for (Index restart = 0; restart < options.restarts && !budget.out_of_time(); ++restart) {
      try_start(em_random_start(problem.covariance.variables(), random));
    }
  }
  if (has_start("columns") && has_variance && !budget.out_of_time()) {
    for (const ColumnStart& start :
         best_columns(problem.covariance, problem.cardinality[0], kColumnsTried)) {
      try_start(start.component);
    }
  }
  if (problem.start != nullptr && !budget.out_of_time()) {
    try_start(*problem.start);
  }
  if (has_start("exchanges") && !best.component.support.empty() && !budget.out_of_time()) {
    budget.begin_loop();
    best.component = exchanged(problem.covariance, best.component, problem.cardinality[0],
                               [&](double value) { return budget.next(value); });
  }
  if (best.component.support.empty()) {
    return budget.out_of_time() ? make_solution({}, budget) : skipped(kNoVariance);
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
}  // namespace spca::solver_em

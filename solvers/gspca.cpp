/// Greedy search in both directions: forward selection, backward elimination, the better of both.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= j, for j = 1..k
/// Step     forward   I += argmax lambda_max(S_{I+i})
///          backward  I -= argmax lambda_max(S_{I-i})
/// Start    forward: the variable of largest variance; if several tie, as in fullpath. Backward:
///          all variables
/// Stops    forward: at k variables; backward: at 1
/// Answer   for each cardinality the better of the two passes, with the leading eigenvector of S_II
/// Cost     forward as fullpath exact. Backward: S whole, and in each of p steps an eigenproblem of
///          S_{I-i} for each candidate that bounds do not rule out: O(p^4) if they rule out none
/// Bound    lambda_{p-k+1} <= lambda_max(S_II) <= lambda_1 for every I of k variables, by the
///          inclusion principle. The upper one is among the harness's bounds of every answer
///          (cardinality_bound.h)
/// Source   Moghaddam, Weiss, Avidan, Spectral bounds for sparse PCA: exact and greedy algorithms,
///          NIPS 2006
/// Order    variables that tie in every respect: the lower index
/// Differs  the paper solves every eigenproblem; bounds here leave out those that cannot win.
///          `rule` approximate takes the next variable by first-order bounds. Variables of variance
///          zero are never added. The paper's exact search is branch-bound here

#include <fmt/format.h>

#include "spca/methods/ascent/greedy_path.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_gspca {
namespace {

struct GspcaOptions {
  std::string passes = "both";
  std::string rule = "exact";

  void describe(OptionVisitor& visit) {
    visit("passes", passes, "directions of the search; the better answer is kept",
          {"both", "forward", "backward"});
    visit("rule", rule, "the next variable by eigenvalues, or by their first-order bounds",
          {"exact", "approximate"});
  }
};

Solution solve_gspca(const Problem& problem, const GspcaOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  if (!has_positive_variance(covariance)) {
    return skipped(kNoVariance);
  }
  const Index k = problem.cardinality[0];
  const VariableFlags flags = variables_to_try(covariance, 0);
  std::vector<Index> variables = indices_of(flags);
  if (options.passes != "forward" && std::ssize(variables) > kLargestBackward) {
    return skipped(fmt::format(
        "backward elimination takes at most {} variables; here are {}; accepted: passes=forward",
        kLargestBackward, variables.size()));
  }
  const bool exact = options.rule == "exact";
  const auto places = static_cast<std::size_t>(k);
  GreedyPath path;
  std::vector<std::pair<std::string, double>> facts;
  if (options.passes != "backward") {
    path = grow_path(covariance, flags, GrowFrom::kBestColumns, k, exact, budget);
    budget.phases().finish("forward");
    facts.emplace_back("forward", path.values.back());
    if (path.is_complete) {
      path.points.resize(places, path.points.back());
      path.values.resize(places, path.values.back());
    }
  }
  if (options.passes != "forward" && !budget.out_of_time()) {
    budget.begin_loop();
    GreedyPath back = shrink_path(covariance, std::move(variables), k, exact, budget);
    budget.phases().finish("backward");
    if (!back.points.empty()) {
      facts.emplace_back("backward", back.values.back());
    }
    if (path.points.empty()) {
      path = std::move(back);
    } else {
      improve(path, back, back.is_complete ? 1 : k);
    }
  }
  if (path.points.empty()) {
    return make_solution({}, budget);  // out of time before there was an answer
  }
  Solution solution = make_solution({path.points.back().component}, budget);
  solution.facts = std::move(facts);
  if (path.is_complete) {
    solution.path = std::move(path.points);
  }
  return solution;
}

SPCA_SOLVER("gspca", solve_gspca,
            (Traits{.summary = "greedy selection and elimination, the better of both",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= j, j = 1..k",
                    .source = "Moghaddam, Weiss, Avidan, NIPS 2006",
                    .path = true}));

}  // namespace
}  // namespace spca::solver_gspca

/// Several sparse orthogonal components at once, whose supports may overlap, by ascent on fixed
/// supports and exchanges.
///
/// Problem  maximise tr(U'SU)  s.t. U'U = I, ||u_t||_0 <= k_t. The option `constraint` requires
///          uncorrelated scores, u_s'S u_t = 0, in place of orthogonal loadings, or both; u_t
///          is of unit length in any case
/// Step     none of these steps lowers the variance (orthogonal_ascent.h, orthogonal_search.h):
///          1. on fixed supports, blocks and Newton steps on the manifold of the constraints
///          2. exchanges of one variable
///          3. restarts of one component, and hops
/// Start    `starts`, of which the best is kept:
///          disjoint    disjoint supports, by the ascent and the exchanges of bipart-ascent
///          deflation   one component after the other, each on the remainder after those before
///          random      random directions
///          both        with uncorrelated scores alone, the answer of one round with both
///                      conditions; not by default, because it takes 40 % of the time
/// Stops    after `rounds` rounds, the first from these starts and the others from random ones; a
///          round ends when `patience` hops in a row have gained nothing
/// Cost     a dense M x M matrix holds S on the core of at most about `core` variables. A round of
///          exchanges costs O(M (r + k) r) and some ascents on fixed supports, O(k^3 r) for
///          disjoint supports and O((k_1 + ... + k_r)^3) for overlapping ones
/// Source   the problem: Cory-Wright, Pauphilet, Operations Research 2026; the search is this
///          project's
/// Differs  the constraints hold to rounding (1e-12; 1e-10 for uncorrelated scores), not to a
///          tolerance of the search. One component alone is found by the search of the solver
///          `search` (anytime_search.h)

#include <algorithm>

#include "spca/methods/ascent/anytime_search.h"
#include "spca/methods/joint/disjoint.h"
#include "spca/methods/orthogonal/orthogonal_ascent.h"
#include "spca/solving/solver.h"

namespace spca::solver_orthogonal_ascent {
namespace {

struct OrthogonalAscentOptions {
  std::string constraint = kOrthogonal;
  std::vector<std::string> starts = {"disjoint", "deflation", "random"};
  OrthogonalAscentRule rule = {};

  bool begins_at(const char* start) const {
    return std::find(starts.begin(), starts.end(), start) != starts.end();
  }

  void describe(OptionVisitor& visit) {
    visit("constraint", constraint,
          "products of different components that vanish: u_s'u_t (orthogonal), u_s'S u_t "
          "(uncorrelated), or both",
          {kOrthogonal, kUncorrelated, kBoth});
    visit("starts", starts, "where the search begins; the best result is kept",
          {"disjoint", "deflation", "random", "both"});
    visit("draws", rule.draws, "number of random starts, and of starts of disjoint supports",
          at_least(1));
    visit("patience", rule.patience, "hops without gain after which a round ends; 0 for no hops",
          at_least(0));
    visit("rounds", rule.rounds, "number of rounds; from the second on they begin at random starts",
          at_least(1));
    visit(
        "core", rule.core,
        "largest number of variables of which S is formed, or 2 (k_1 + ... + k_r) if that is more",
        between(1, 5000));
  }
};

Solution solve_orthogonal_ascent(const Problem& problem, const OrthogonalAscentOptions& options,
                                 Budget& budget) {
  if (problem.components == 1) {
    return anytime_solution(anytime_search(problem, AnytimeRule{}, {}, budget), budget);
  }
  if (problem.components > problem.covariance.variables()) {
    return skipped(kMoreThanVariables);
  }
  const Orthogonality asked = orthogonality_named(options.constraint);
  OrthogonalAscentRule rule = options.rule;
  rule.agreeing = rule.rounds;  // all rounds
  rule.from_disjoint = options.begins_at("disjoint");
  rule.from_deflation = options.begins_at("deflation");
  rule.from_random = options.begins_at("random");
  rule.from_both = options.begins_at("both");
  OrthogonalAscentAnswer answer = orthogonal_ascent(problem, rule, asked, budget);
  if (!answer.components.empty()) {
    answer.components =
        components_in_order(problem.covariance, std::move(answer.components), problem.cardinality);
  } else if (!budget.out_of_time()) {
    return skipped(nothing_found(options.constraint));
  }
  Solution solution = make_solution(std::move(answer.components), budget);
  solution.facts = {{"core", static_cast<double>(answer.core)},
                    {"hops", static_cast<double>(answer.hops)}};
  return solution;
}

SPCA_SOLVER("orthogonal-ascent", solve_orthogonal_ascent,
            (Traits{.summary = "orthogonal components that may share variables, by ascent and "
                               "exchanges",
                    .problem = "max tr(U'SU)  s.t. U'U = I, ||u_t||_0 <= k_t",
                    .source = "this project; the problem: Cory-Wright, Pauphilet, Oper. Res. 2026",
                    .multiple_components = true,
                    .orthogonal = true,
                    .seeded = true}));

}  // namespace
}  // namespace spca::solver_orthogonal_ascent

/// Several sparse components with disjoint supports at once, by alternating ascent and exchanges.
///
/// Problem  maximise Tr(V'SV)  s.t. ||v_j||_2 = 1, ||v_j||_0 <= k_j, disjoint supports
/// Step     none of these steps lowers the variance (disjoint_ascent.h, joint_search.h):
///          1. the best v_j on I_j, then the assignment of variables to components for the weights
///             (S v_j)_i^2 / v_j'S v_j, until nothing changes; first on S_d = V V', then on S
///          2. exchanges of variables
///          3. hops: one to three supports are drawn again, or some variables change places
/// Start    `starts`, of which the best is kept:
///          random      directions C drawn from the sphere
///          deflation   one component after the other, each by ascent on the remaining variables
///          spannogram-sweep, tpower   the answer of that solver with removal of supports. The
///          result is never below these answers, if they are found in half of the time
/// Stops    when `patience` hops in a row have gained nothing, and growing the core gains nothing
/// Cost     a dense M x M matrix holds S on the core: the `core` variables of largest variance and
///          those that the steps find. With K = k_1 + ... + k_r a step costs O(M K) there, and a
///          round of exchanges at most O(M K k + M K r). Beyond the core, r products with sparse
///          vectors and an assignment for each step
/// Source   the objective, the low-rank step and the assignment: Asteris, Papailiopoulos,
///          Kyrillidis, Dimakis, NIPS 2015; ascent, exchanges and hops are this project's
/// Differs  exchanges examine the core only. A single component is found by the search of the
///          solver `search` (anytime_search.h), and from the deflation answers if these are better

#include <algorithm>
#include <array>

#include "spca/methods/ascent/anytime_search.h"
#include "spca/methods/joint/deflation_answers.h"
#include "spca/methods/joint/disjoint.h"
#include "spca/methods/joint/disjoint_ascent.h"
#include "spca/methods/joint/padding.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_bipart_ascent {
namespace {

constexpr const char* kStartsOption = "/options/starts";
// Solvers of one component whose answers, with removal of supports between them, take about as long
// as the joint search; on a corpus of 102,660 words nine tenths of the time.
constexpr std::array kDeflated = {"spannogram-sweep", "tpower"};
const Choices kStarts = {"random", "deflation", kDeflated[0], kDeflated[1]};

struct BipartAscentOptions {
  Index rank = 4;
  std::vector<std::string> starts = {"random", "deflation", kDeflated[0], kDeflated[1]};
  DisjointAscentRule rule = {};

  bool begins_at(const char* start) const {
    return std::find(starts.begin(), starts.end(), start) != starts.end();
  }

  void describe(OptionVisitor& visit) {
    visit("rank", rank, "d, the rank of the approximation on which random starts ascend first",
          between(1, 64));
    visit("starts", starts, "where the ascent begins; the best result is kept", kStarts);
    visit("draws", rule.draws, "number of random starts", at_least(1));
    visit("patience", rule.patience, "hops without gain after which the search ends; 0 for no hops",
          at_least(0));
    visit("core", rule.core, "variables among which exchanges are looked for, at least 2 K",
          between(1, kLargestDisjointCore));
  }
};

/// The answers of kDeflated that have at least one component.
std::vector<std::vector<Support>> deflation_answers(const Problem& problem,
                                                    const BipartAscentOptions& options,
                                                    Budget& budget) {
  std::vector<std::vector<Support>> answers;
  // A separate budget: the trace belongs to the joint search, and half of the time remains for it.
  Budget own({.seconds = budget.seconds_left() / 2});
  for (const char* name : kDeflated) {
    if (!options.begins_at(name)) {
      continue;
    }
    std::vector<Support> supports = deflation_answer(problem, name, kStartsOption, own);
    if (!supports.front().empty()) {
      answers.push_back(std::move(supports));
    }
  }
  return answers;
}

/// Finds a single component as the solver `search` does: it competes with no other component for
/// variables, and a core of the largest variances may miss most of it.
Solution solve_one(const Problem& problem, const BipartAscentOptions& options, Budget& budget) {
  AnytimeAnswer answer = anytime_search(problem, AnytimeRule{}, {}, budget);
  std::vector<Component> better;
  for (const std::vector<Support>& supports : deflation_answers(problem, options, budget)) {
    SupportOptimum found = best_on_support(problem.covariance, supports[0]);
    if (found.value > answer.value) {
      better.push_back(std::move(found.component));
    }
  }
  if (!better.empty()) {
    answer = anytime_search(problem, AnytimeRule{}, better, budget);
  }
  return anytime_solution(std::move(answer), budget);
}

Solution solve_bipart_ascent(const Problem& problem, const BipartAscentOptions& options,
                             Budget& budget) {
  if (lacks_variables(problem)) {
    return solve_padded(problem, [&](const Problem& padded) {
      return solve_bipart_ascent(padded, options, budget);
    });
  }
  if (problem.components == 1) {
    return solve_one(problem, options, budget);
  }
  const std::vector<std::vector<Support>> deflated = deflation_answers(problem, options, budget);
  budget.phases().finish("deflation");
  const LowRank low_rank = low_rank_approximation(problem.covariance, options.rank, Copies::kAny);
  budget.phases().finish("eigenpairs");
  DisjointAscentRule rule = options.rule;
  rule.from_random = options.begins_at("random");
  rule.from_deflation = options.begins_at("deflation");
  const DisjointAscentAnswer answer = disjoint_ascent(problem, rule, low_rank, deflated, budget);
  const bool has_answer = !answer.supports.empty();
  if (has_answer && !(answer.value > 0) && !budget.out_of_time()) {
    return skipped(no_positive_support(problem.cardinality[0]));
  }
  Solution solution = make_solution(
      has_answer ? components_on(problem.covariance, answer.supports, problem.cardinality)
                 : std::vector<Component>{},
      budget);
  solution.facts = {{"core", static_cast<double>(answer.core)},
                    {"hops", static_cast<double>(answer.hops)}};
  return solution;
}

SPCA_SOLVER("bipart-ascent", solve_bipart_ascent,
            (Traits{
                .summary = "disjoint components at once, by ascent, exchanges and hops",
                .problem = "max Tr(V'SV)  s.t. ||v_j|| = 1, ||v_j||_0 <= k_j, disjoint supports",
                .source = "objective: Asteris, Papailiopoulos, Kyrillidis, Dimakis, NIPS 2015",
                .multiple_components = true,
                .disjoint = true,
                .seeded = true}));

}  // namespace
}  // namespace spca::solver_bipart_ascent

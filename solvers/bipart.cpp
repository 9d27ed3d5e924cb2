/// Several sparse components with disjoint supports at once, by bipartite matchings.
///
/// Problem  maximise Tr(V'SV)  s.t. ||v_j||_2 = 1, ||v_j||_0 <= k_j, disjoint supports, on an
///          approximation S_d = V V' of rank d to S (`sketch`)
/// Step     for r unit directions C of the span (d x r) the supports are the assignment of
///          variables to components that maximises sum_j ||(V C_j)_{I_j}||^2; they are scored on S
/// Start    `directions`: net tries every C whose columns are of an epsilon/2-net of the
///          half-sphere (c and -c give the same); random draws them from the sphere
/// Stops    when the net is done or `draws` are made, unless time runs out before. A large `draws`
///          with a time limit is the search that the paper ran
/// Cost     a candidate takes O(p' d r) and an assignment (spca/dense/assignment.h), p' the rows
///          of V long enough to matter. A score on S takes r eigenproblems of k x k, and for each
///          new variable a product of S with one variable
/// Bound    Theorem 1: over the net, with the value on S_d, (1 - epsilon) of the best on S_d. The
///          facts hold it, the losses on S by Theorems 2 and 3, and the bounds on the optimum
/// Source   Asteris, Papailiopoulos, Kyrillidis, Dimakis, Sparse PCA via bipartite matchings, NIPS
///          2015: Algorithms 1 to 4, Theorems 1 to 3
/// Differs  the paper keeps the best candidate on the sketch (`score` low-rank), and by Algorithm 2
///          its loadings are W_I at unit length (`score` printed). Here candidates are scored on S,
///          except those that cannot be the best there (matching_search.h), and each component is
///          the best on its support. Columns of equal cardinality are tried in one order only

#include <cmath>

#include "spca/base/cardinality.h"
#include "spca/base/error.h"
#include "spca/methods/joint/disjoint.h"
#include "spca/methods/joint/matching_search.h"
#include "spca/methods/joint/padding.h"
#include "spca/methods/joint/span_directions.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"
#include "spca/spectrum/sketch.h"

namespace spca::solver_bipart {
namespace {

struct BipartOptions {
  Index rank = 4;
  std::string sketch = "svd";
  std::string directions = "random";
  Index draws = 2000;
  double epsilon = 0.5;
  Index largest_net = 10'000'000;
  std::string score = "covariance";

  void describe(OptionVisitor& visit) {
    visit("rank", rank, "d, the rank of the sketch", between(1, 64));
    visit("sketch", sketch, "approximation of S", {"svd", "randomised-svd", "gaussian"});
    visit("directions", directions, "source of the directions C", {"random", "net"});
    visit("draws", draws, "random: number of C drawn", at_least(1));
    visit("epsilon", epsilon, "net: relative accuracy on the sketch",
          {.minimum = 0, .maximum = 1, .minimum_excluded = true, .maximum_excluded = true});
    visit("largest_net", largest_net, "net: skip the solve if there are more C than this",
          at_least(1));
    visit("score", score,
          "objective of the answer: the value on S, on the sketch, or on the sketch with the "
          "loadings W_I that Algorithm 2 returns (printed)",
          {"covariance", "low-rank", "printed"});
  }
};

SpanScore score_of(const BipartOptions& options) {
  if (options.score == "covariance") {
    return SpanScore::kCovariance;
  }
  return options.score == "printed" ? SpanScore::kPrinted : SpanScore::kLowRank;
}

/// Bounds the sum of the r largest eigenvalues of S - S_d, with negative ones replaced by zero: it
/// is that sum, or r lambda_{d+1} if the eigenvalues do not converge. The search for S_d took d + 1
/// eigenvalues of S; this takes d + r.
double sum_of_next_eigenvalues(const Problem& problem, const LowRank& low_rank) {
  const Index d = low_rank.rank();
  const Index count = std::min(problem.covariance.variables(), d + problem.components);
  if (count <= d) {
    return 0;
  }
  try {
    const Vector values = leading_eigenvalues(problem.covariance, count);
    return values.tail(count - d).cwiseMax(0.0).sum();
  } catch (const NumericalError&) {
    // The answer remains valid without a tight bound on its loss.
    return static_cast<double>(problem.components) * low_rank.residual;
  }
}

/// Adds the guarantees of the theorems, and bounds on the optimum on S. If the time is over, only
/// those that cost nothing. On S the answer is less than the share of Theorem 1 by at most
///
///   2 sum_j lambda_max,k_j(S - S_d) <= 2 r ||S - S_d||                  (Theorem 2, Remark 3.1)
///   the sum of the r largest eigenvalues of S - S_d, if positive semidefinite      (Remark 9.2)
///   2 max |S - S_d|_ij sum_j k_j                                     (Theorem 3, equation (35))
void add_guarantees(const Problem& problem, const BipartOptions& options, const LowRank& low_rank,
                    const MatchingSearch& search, const Budget& budget, Solution& solution) {
  const auto r = static_cast<double>(problem.components);
  const bool is_svd = options.sketch == "svd";
  const double shift = problem.covariance.semidefinite_shift();
  const double norm = is_svd ? std::max(low_rank.residual, shift)
                             : sketch_error(problem.covariance, low_rank.factor, problem.seed);
  if (!is_svd) {
    solution.facts.emplace_back("sketch_error", norm);
  }
  solution.facts.emplace_back("theorem_2_loss", 2 * r * norm);
  if (budget.out_of_time()) {
    return;
  }
  if (const double entry = sketch_entry_error(problem.covariance, low_rank.factor);
      std::isfinite(entry)) {
    const Index places = total_cardinality(problem.cardinality);
    solution.facts.emplace_back("sketch_entry_error", entry);
    solution.facts.emplace_back("theorem_3_loss", 2 * entry * static_cast<double>(places));
  }
  if (!is_svd) {
    return;
  }
  // S - S_d has the other eigenvalues of S. If S is not positive semidefinite, an answer can lose r
  // * shift in addition.
  const double above = sum_of_next_eigenvalues(problem, low_rank);
  solution.facts.emplace_back("remark_9_2_loss", above + r * shift);
  if (options.directions == "net" && search.is_complete()) {
    const double low_rank_bound = search.best_low_rank() / (1 - options.epsilon);
    solution.facts.emplace_back("theorem_1_share", 1 - options.epsilon);
    solution.facts.emplace_back("low_rank_bound", low_rank_bound);
    solution.facts.emplace_back("optimum_bound", low_rank_bound + above);
  }
}

std::vector<Component> loadings_of(const Problem& problem, const BipartOptions& options,
                                   const LowRank& low_rank, const SpanCandidate& best) {
  if (options.score != "printed") {
    return components_on(problem.covariance, best.supports, problem.cardinality);
  }
  std::vector<Component> components;
  for (std::size_t j = 0; j < best.supports.size(); ++j) {
    components.push_back(loadings_of_direction(low_rank.factor, best.supports[j],
                                               best.directions.col(static_cast<Index>(j))));
  }
  return components_in_order(problem.covariance, std::move(components), problem.cardinality);
}

Solution solve_bipart(const Problem& problem, const BipartOptions& options, Budget& budget) {
  if (lacks_variables(problem)) {
    return solve_padded(
        problem, [&](const Problem& padded) { return solve_bipart(padded, options, budget); });
  }
  const LowRank low_rank = sketch(problem.covariance, options.sketch, options.rank, problem.seed);
  budget.phases().finish("eigenpairs");
  const Index d = low_rank.rank();
  if (d == 0 || nonzero_rows(low_rank.factor).empty()) {
    return skipped(kNoVariance);
  }
  Directions directions = random_directions(problem, d, options.draws);
  if (options.directions == "net") {
    const double points = net_points(d, options.epsilon);
    const double count = net_choices(points, problem.cardinality);
    if (count > static_cast<double>(options.largest_net)) {
      return skipped(
          fmt::format("a net of {} directions in {} dimensions, {} at a time: {:.3g} matrices to "
                      "try are more than "
                      "{}, the option largest_net",
                      points, d, problem.components, count, options.largest_net));
    }
    directions = net_directions(half_sphere_net(d, options.epsilon), problem.cardinality);
  }
  MatchingSearch search(problem, score_of(options), low_rank);
  search.run(directions, budget);
  std::vector<Component> components;
  if (search.best().supports.empty() && !budget.out_of_time()) {
    return skipped(no_positive_support(problem.cardinality[0]));
  }
  if (!search.best().supports.empty()) {
    components = loadings_of(problem, options, low_rank, search.best());
  }
  Solution solution = make_solution(std::move(components), budget);
  solution.facts = {{"rank", d},
                    {"candidates", search.tried()},
                    {"candidates_scored", search.scored()},
                    {"low_rank_value", search.best_low_rank()}};
  add_guarantees(problem, options, low_rank, search, budget, solution);
  return solution;
}

SPCA_SOLVER("bipart", solve_bipart,
            (Traits{
                .summary = "disjoint components at once, by matchings over directions",
                .problem = "max Tr(V'SV)  s.t. ||v_j|| = 1, ||v_j||_0 <= k_j, disjoint supports",
                .source = "Asteris, Papailiopoulos, Kyrillidis, Dimakis, NIPS 2015",
                .multiple_components = true,
                .disjoint = true,
                .seeded = true}));

}  // namespace
}  // namespace spca::solver_bipart

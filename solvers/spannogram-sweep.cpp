/// Sparse PCA of the rank 2 approximation, exact: along the k-level of an arrangement of lines.
///
/// Problem  maximise v'S_2 v  s.t. ||v||_2 = 1, ||v||_0 <= k, S_2 = V V'. Every support of the
///          sweep that might be best on S is scored there
/// Step     with c = (1, x) and c = (x, 1), |x| <= 1, the V_i c are lines in x, and I_k(V c) are
///          the k topmost of the 2p lines +-V_i c. The k-level, the line at rank k, is followed
///          from one intersection to the next (level_sweep.h)
/// Start    ascents on S_2 from its two eigenvectors, whose best value drives the elimination
/// Stops    at the end of the second half of the directions
/// Polish   with `polish` (default, score covariance) the best support is improved on S itself, by
///          ascent and exchanges of one variable (support_polish.h): the best in the plane of two
///          eigenvectors need not be the best on S
/// Cost     an interval of x is halved until few lines can reach its k-level: if upper_i of
///          direction_boxes.h is below the k-th largest lower_j, line i is ruled out, in the halves
///          as well. Then it takes O(1) operations per remaining line and vertex. The k-level has
///          O(p k^(1/3)) vertices; Algorithm 2 of the paper visits 2 C(p, 2) intersections
/// Source   the problem is rank 2 of Papailiopoulos, Dimakis, Korokythakis, ICML 2013; k-levels:
///          T. K. Dey, Improved bounds for planar k-sets and related problems, DCG 1998
/// Differs  with `eliminate` (default) intervals are skipped if no support there can be best on
///          S_2 or, by lambda_3, on S. Threads take intervals; supports are scored in their order.
///          The polish is this project's

#include <algorithm>

#include "spca/methods/ascent/support_polish.h"
#include "spca/methods/spannogram/level_sweep.h"
#include "spca/methods/spannogram/support_search.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_spannogram_sweep {
namespace {

struct SweepOptions {
  bool eliminate = true;
  std::string score = "covariance";
  bool polish = true;

  void describe(OptionVisitor& visit) {
    visit("eliminate", eliminate, "skip directions that provably have no best support");
    visit("score", score, "the matrix on which the answer is best", {"covariance", "low-rank"});
    visit("polish", polish,
          "improve the best support by ascent and exchanges on S (score covariance)");
  }
};

Solution solve_sweep(const Problem& problem, const SweepOptions& options, Budget& budget) {
  constexpr Index kRank = 2;
  LowRank low_rank = low_rank_approximation(problem.covariance, kRank, Copies::kAny);
  budget.phases().finish("eigenpairs");
  const std::vector<int> variables = nonzero_rows(low_rank.factor);
  if (variables.empty()) {
    return skipped(kNoVariance);
  }
  low_rank.factor.conservativeResizeLike(Matrix::Zero(low_rank.factor.rows(), kRank));
  const Index k = std::min(problem.cardinality[0], static_cast<Index>(variables.size()));
  const bool on_covariance = options.score == "covariance";
  SupportSearch supports(problem.covariance, low_rank, on_covariance);
  supports.consider_ascents(k);
  const double best = supports.best_low_rank_value();
  // On S a support of value w on S_2 has at most w + lambda_3.
  const double floor =
      on_covariance ? std::min(best, supports.best_value() - low_rank.residual) : best;
  const SweptSpan span = sweep_levels(low_rank.factor, k, options.eliminate ? floor : 0, variables,
                                      problem.threads, budget);
  for (const FoundSupport& one : span.found) {
    supports.consider(one.support, one.value);
  }
  budget.phases().finish("search");
  Component answer = supports.best();
  if (answer.support.empty() && !budget.out_of_time()) {
    return skipped(no_positive_support(k));
  }
  if (on_covariance && options.polish) {
    budget.begin_loop();
    answer = polished(problem.covariance, answer, problem.cardinality[0],
                      [&](double value) { return budget.next(value); });
    budget.phases().finish("polish");
  }
  Solution solution = make_solution({std::move(answer)}, budget);
  solution.facts = {{"variables", static_cast<double>(variables.size())},
                    {"variables_left", static_cast<double>(span.variables.size())},
                    {"vertices", span.vertices},
                    {"supports_scored", static_cast<double>(supports.scored())},
                    {"low_rank_value", supports.best_low_rank_value()}};
  if (on_covariance) {
    solution.facts.emplace_back("unpolished_value", supports.best_value());
  }
  return solution;
}

SPCA_SOLVER("spannogram-sweep", solve_sweep,
            (Traits{.summary = "rank 2 exactly, along the k-level of an arrangement of lines",
                    .problem = "max v'Sv  s.t. ||v|| = 1, support(v) optimal somewhere in the span "
                               "of two eigenvectors",
                    .source = "problem: Papailiopoulos, Dimakis, Korokythakis, ICML 2013, rank 2",
                    .rank = 2}));

}  // namespace
}  // namespace spca::solver_spannogram_sweep

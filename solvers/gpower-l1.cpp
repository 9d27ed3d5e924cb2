/// Generalized power method with an l1 penalty, one sparse component.
///
/// Problem  maximise over ||x||_2 = 1 in R^n: sum_i (|a_i'x| - gamma)_+^2, which is the square of
///          max sqrt(v'Sv) - gamma ||v||_1 s.t. ||v||_2 <= 1; a_i the columns of X,
///          gamma = penalty * max_i ||a_i||
/// Step     x <- normalise(sum_i (|a_i'x| - gamma)_+ sign(a_i'x) a_i); in terms of S: z = X'x soft
///          thresholded, X'x <- Sz / sqrt(z'Sz)
/// Start    x = a_j / ||a_j|| at the longest column; among ties, at the one with the largest
///          ||S e_j||. On request the leading eigenvector of X X', unless gamma cuts
///          everything there
/// Stops    when the objective grows by no more than `tolerance` times itself
/// Cost     a product of S with the sparse z, and O(p), a step
/// Source   Journee, Nesterov, Richtarik, Sepulchre, Generalized power method for sparse principal
///          component analysis, JMLR 11, 2010: problem (2), Algorithm 2; the refit is their
///          post-processing (Section 4)
/// Differs  the post-processing takes the leading eigenvector of S on the support instead of an
///          alternating maximisation from the thresholded vector: the same problem, its optimum.
///          A penalty that cuts everything, as any penalty of 1 does, gives an empty component.
#include "spca/methods/ascent/gpower.h"
#include "spca/solving/solver.h"

namespace spca::solver_gpower_l1 {
namespace {

struct GpowerL1Options : GpowerOptions {
  GpowerL1Options() { penalty = 0.4; }
  void describe(OptionVisitor& visit) {
    describe_all(
        visit,
        "gamma relative to the length of the longest column; 1 cuts all variables, 0 keeps all");
  }
};

Solution solve_gpower_l1(const Problem& problem, const GpowerL1Options& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const double level = options.penalty * longest_column(covariance);
  return make_solution({gpower(covariance, Threshold::kSoft, level, options, budget)}, budget);
}

SPCA_SOLVER("gpower-l1", solve_gpower_l1,
            (Traits{.summary = "generalized power method, l1 penalty",
                    .problem = "max sum_i (|a_i'x| - gamma)_+^2 s.t. ||x||_2 = 1",
                    .source = "Journee, Nesterov, Richtarik, Sepulchre, JMLR 2010",
                    .rule = SparsityRule::kPenalty,
                    .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}}));

}  // namespace
}  // namespace spca::solver_gpower_l1

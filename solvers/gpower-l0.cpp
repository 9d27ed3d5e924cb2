/// Generalized power method with an l0 penalty, one sparse component.
///
/// Problem  maximise over ||x||_2 = 1 in R^n: sum_i ((a_i'x)^2 - gamma)_+, which is
///          max v'Sv - gamma ||v||_0 s.t. ||v||_2 = 1; a_i the columns of X,
///          gamma = penalty * max_i ||a_i||^2
/// Step     x <- normalise(sum over {i: (a_i'x)^2 > gamma} of (a_i'x) a_i); in terms of S: z = X'x
///          cut at sqrt(gamma), X'x <- Sz / sqrt(z'Sz)
/// Start    x = a_j / ||a_j|| at the longest column; among ties, at the one with the largest
///          ||S e_j||. On request the leading eigenvector of X X', unless gamma cuts
///          everything there
/// Stops    when the objective grows by no more than `tolerance` times itself
/// Cost     a product of S with the sparse z, and O(p), a step
/// Source   Journee, Nesterov, Richtarik, Sepulchre, Generalized power method for sparse principal
///          component analysis, JMLR 11, 2010: problem (6), Algorithm 3
/// Differs  the refit solves for the loadings on the support exactly; the paper's are those of the
///          last step, which tend to the same vector. A penalty that cuts everything, as a penalty
///          of 1 does, gives an empty component
#include <cmath>

#include "spca/methods/ascent/gpower.h"
#include "spca/solving/solver.h"

namespace spca::solver_gpower_l0 {
namespace {

struct GpowerL0Options : GpowerOptions {
  GpowerL0Options() { penalty = 0.1; }
  void describe(OptionVisitor& visit) {
    describe_all(
        visit,
        "gamma relative to the squared length of the longest column; 1 cuts all variables, 0 "
        "keeps all of them");
  }
};

Solution solve_gpower_l0(const Problem& problem, const GpowerL0Options& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  // The threshold cuts |a_i'x| at sqrt(gamma) = sqrt(penalty) * max_i ||a_i||.
  const double level = std::sqrt(options.penalty) * longest_column(covariance);
  return make_solution({gpower(covariance, Threshold::kHard, level, options, budget)}, budget);
}

SPCA_SOLVER("gpower-l0", solve_gpower_l0,
            (Traits{.summary = "generalized power method, l0 penalty",
                    .problem = "max v'Sv - gamma ||v||_0 s.t. ||v||_2 = 1",
                    .source = "Journee, Nesterov, Richtarik, Sepulchre, JMLR 2010",
                    .rule = SparsityRule::kPenalty,
                    .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}}));

}  // namespace
}  // namespace spca::solver_gpower_l0

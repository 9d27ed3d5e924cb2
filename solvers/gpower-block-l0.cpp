/// Generalized power method with an l0 penalty, r sparse components at once.
///
/// Problem  maximise over Z in the Stiefel manifold of n x r:
///          sum_j sum_i ((mu_j a_i'z_j)^2 - gamma_j)_+,
///          a_i the columns of X, gamma_j = penalty_j * (mu_j max_i ||a_i||)^2
/// Step     Z <- polar factor of the gradient; in terms of S: T = X'Z cut at
///          sqrt(gamma_j) / mu_j with column j times mu_j^2, X'Z <- ST (T'ST)^{-1/2}
/// Start    the r columns of X that are longest after projection off the ones before, made
///          orthonormal; if several tie for the first, that with the largest ||S e_j||
/// Stops    when the objective grows by no more than `tolerance` times itself
/// Cost     r products of S with sparse vectors, O(p r^2) and an eigenproblem of r x r, a step
/// Source   Journee, Nesterov, Richtarik, Sepulchre, Generalized power method for sparse principal
///          component analysis, JMLR 11, 2010: problem (10), Algorithm 5
/// Differs  the authors' code starts from the longest column and random ones; here nothing is
///          random. If the gradient lacks directions, the polar factor is completed along the
///          longest residual columns. The refit solves on each support separately. Supports
///          may overlap and loadings need not be orthogonal, as in the paper. A penalty that cuts
///          everything gives an empty component
#include "spca/methods/ascent/block_gpower.h"
#include "spca/solving/solver.h"

namespace spca::solver_gpower_block_l0 {
namespace {

struct GpowerBlockL0Options : BlockGpowerOptions {
  GpowerBlockL0Options() { penalty = {0.1}; }
};

Solution solve_gpower_block_l0(const Problem& problem, const GpowerBlockL0Options& options,
                               Budget& budget) {
  const Vector levels =
      longest_column(problem.covariance) * penalties(options, problem.components).cwiseSqrt();
  return make_solution(block_gpower(problem, Threshold::kHard, levels, options, budget), budget);
}

SPCA_SOLVER("gpower-block-l0", solve_gpower_block_l0,
            (Traits{.summary = "generalized power method, l0 penalty, all components at once",
                    .problem = "max sum_j sum_i ((mu_j a_i'z_j)^2 - gamma_j)_+ s.t. Z'Z = I",
                    .source = "Journee, Nesterov, Richtarik, Sepulchre, JMLR 2010",
                    .rule = SparsityRule::kPenalty,
                    .multiple_components = true,
                    .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}}));

}  // namespace
}  // namespace spca::solver_gpower_block_l0

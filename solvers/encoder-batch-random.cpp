/// Batch sparse linear encoder with columns sampled at random.
///
/// Problem  minimise ||X - XH(XH)^+X||_F^2  s.t. H'H = I, H has at most k nonzero rows
/// Step     4r columns by the deterministic dual-set sparsification. The other k - 4r are drawn
///          with probabilities proportional to the squared length of each column's residual after
///          the first. Then the blackbox of encoder-batch
/// Start    the r leading eigenvectors of S
/// Stops    after k columns
/// Cost     r eigenpairs; O(p r^2) for each of the first columns, O(p r^2) for the probabilities,
///          O(p) a draw; k columns of S and O(p k^2) for the encoder
/// Source   Magdon-Ismail, Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS 2016:
///          Theorems 6 (ii) and 7, expected loss at most (1 + 5r/(k - 5r)) ||X - X_r||_F^2 for
///          k > 5r; the method is theirs with Drineas, SIAM J. Computing 43(2), 2014
/// Differs  exact eigenvectors replace sketched ones, so that the bound holds with 4r in place of
///          5r in its denominator. Columns are drawn until k are distinct. The theorem does not
///          cover k <= 5r; then every column is chosen as in encoder-batch

#include "spca/methods/encoders/encoder_problem.h"

namespace spca::solver_encoder_batch_random {
namespace {

Solution solve_batch_random(const Problem& problem, const NoOptions&, Budget& budget) {
  return solve_encoder_batch(problem, "adaptive", budget);
}

SPCA_SOLVER("encoder-batch-random", solve_batch_random,
            (Traits{.summary = "encoder-batch with columns sampled by their residuals",
                    .problem = "min ||X - XH(XH)^+X||_F^2  s.t. H'H = I, k nonzero rows",
                    .source = "Magdon-Ismail, Boutsidis, NIPS 2016",
                    .multiple_components = true,
                    .seeded = true,
                    .laws = {"theorem5_slack", "eckart_young_slack"},
                    .semidefinite = kEncodersNeedData}));

}  // namespace
}  // namespace spca::solver_encoder_batch_random

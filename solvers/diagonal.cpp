/// Diagonal thresholding: the k variables of largest variance.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     I = I_k(diag S); v the leading eigenvector of S_II
/// Start    none
/// Stops    after the one step
/// Cost     p for the choice; k^3 for the eigenvector
/// Source   Johnstone, Lu, JASA 2009; Amini, Wainwright, Annals of Statistics 2009
/// Differs  variables of variance zero are never chosen, so that fewer than k may remain

#include "spca/algebra/eigenpairs.h"
#include "spca/algebra/sparsify.h"
#include "spca/solving/solver.h"

namespace spca {
namespace {

Solution solve_diagonal(const Problem& problem, const NoOptions&, Budget& budget) {
  const Vector variances = problem.covariance.diagonal().cwiseMax(0.0);
  const Support support = restrict_to(variances, top_k(variances, problem.cardinality[0])).support;
  if (support.empty()) {
    return skipped("no variable with positive variance is left");
  }
  return make_solution({best_on_support(problem.covariance, support).component}, budget);
}

SPCA_SOLVER("diagonal", solve_diagonal,
            (Traits{.summary = "the k variables of largest variance",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "Johnstone, Lu, JASA 2009; Amini, Wainwright, Annals of Statistics "
                              "2009"}));

}  // namespace
}  // namespace spca

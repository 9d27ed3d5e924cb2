/// Diagonal thresholding: the k variables of largest variance.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     I = I_k(diag S); v the leading eigenvector of S_II
/// Start    none
/// Stops    after the one step
/// Cost     p for the choice; k^3 for the eigenvector. If ties leave a choice, also one product
///          with S; if no variance lies above the tie, also the columns of S that
///          start_variables() chooses (column_starts.h)
/// Source   Johnstone, Lu, JASA 2009; Amini, Wainwright, Annals of Statistics 2009
/// Order    if ties leave open which k variances are the largest, as in a correlation matrix, the
///          variables are taken that covary most with the ones above the tie, or with the best
///          column of S if there are none (column_starts.h). The sources do not cover this case.
///          The order of the variables matters only if these tie as well
/// Differs  variables of variance zero are never chosen, so fewer than k may remain

#include "spca/methods/ascent/column_starts.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_diagonal {
namespace {

Solution solve_diagonal(const Problem& problem, const NoOptions&, Budget& budget) {
  if (!has_positive_variance(problem.covariance)) {
    return skipped(kNoVariance);
  }
  const Support support = largest_variances(problem.covariance, problem.cardinality[0]);
  return make_solution({best_on_support(problem.covariance, support).component}, budget);
}

SPCA_SOLVER("diagonal", solve_diagonal,
            (Traits{.summary = "the k variables of largest variance",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "Johnstone, Lu, JASA 2009; Amini, Wainwright, Annals of Statistics "
                              "2009"}));

}  // namespace
}  // namespace spca::solver_diagonal

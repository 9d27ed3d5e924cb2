#include "spca/dense/sparsify.h"
#include "spca/solving/solver.h"

namespace spca {
namespace {

/// Finds components until six variables are used up, and then exceeds the time limit.
Solution solve_misbehave_late(const Problem& problem, const NoOptions&, Budget& budget) {
  const Vector& variances = problem.covariance.diagonal();
  if ((variances.array() <= 0).count() >= 6) {
    Solution solution = make_solution({}, budget);
    solution.status = Status::kTimeLimit;
    return solution;
  }
  return make_solution(
      {normalized(restrict_to(variances, top_k(variances, problem.cardinality[0])))}, budget);
}

SPCA_SOLVER("misbehave-late", solve_misbehave_late,
            (Traits{.summary = "late from the third component on", .problem = "", .source = ""}));

}  // namespace
}  // namespace spca

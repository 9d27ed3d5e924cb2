#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

/// The best vector on the first k variables, which is called the optimum.
Solution solve_misbehave_exact(const Problem& problem, const NoOptions&, Budget& budget) {
  Support support;
  for (Index i = 0; i < problem.cardinality.front(); ++i) {
    support.push_back(i);
  }
  return make_solution({best_on_support(problem.covariance, support).component}, budget);
}

SPCA_SOLVER("misbehave-exact", solve_misbehave_exact,
            (Traits{.summary = "says that an answer is the optimum",
                    .problem = "",
                    .source = "",
                    .exact = true}));

}  // namespace
}  // namespace spca

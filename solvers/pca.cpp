/// Principal component analysis: the ceiling that every sparse component is measured against.
///
/// Problem  maximise Tr V'SV  s.t. V'V = I, V of p x r; no sparsity
/// Step     none: the r leading eigenvectors of S (eigenpairs.h)
/// Start    none
/// Stops    when the eigensolver's residuals are at rounding level. Components beyond the rank of S
///          are omitted: their directions are arbitrary, and their variance is rounding
/// Cost     n p min(n, p) with a dense solver, which small n or p allow (eigenpairs.cpp); otherwise
///          tens of products with S
/// Source   Pearson, Philosophical Magazine 1901; Hotelling, Journal of Educational Psychology 1933
/// Differs  nothing

#include <fmt/format.h>

#include <limits>

#include "spca/dense/sparsify.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::solver_pca {
namespace {

Solution solve_pca(const Problem& problem, const NoOptions&, Budget& budget) {
  const Eigenpairs pairs = leading_eigenpairs(problem.covariance, problem.components);
  const double rounding = static_cast<double>(problem.covariance.variables()) *
                          std::numeric_limits<double>::epsilon() * pairs.values[0];
  Index rank = 1;
  while (rank < problem.components && pairs.values[rank] > rounding) {
    ++rank;
  }
  std::vector<Component> components;
  for (Index j = 0; j < rank; ++j) {
    // Drops exact zeros, such as those of variables without variance.
    components.push_back(normalized(from_dense(pairs.vectors.col(j))));
  }
  Solution solution = make_solution(std::move(components), budget);
  if (rank < problem.components && solution.status == Status::kConverged) {
    solution.status = Status::kIncomplete;
    solution.message = fmt::format("component {}: S has rank {}, and nothing is left but rounding",
                                   rank + 1, rank);
  }
  return solution;
}

SPCA_SOLVER("pca", solve_pca,
            (Traits{.summary = "leading eigenvectors, dense: the ceiling of every ratio",
                    .problem = "max Tr V'SV  s.t. V'V = I",
                    .source = "Pearson 1901; Hotelling 1933",
                    .rule = SparsityRule::kDense,
                    .multiple_components = true}));

}  // namespace
}  // namespace spca::solver_pca

#include "spca/methods/encoders/encoder_problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "spca/methods/encoders/linear_encoder.h"
#include "spca/spectrum/joint_loadings.h"

namespace spca {

std::optional<Solution> refuse_common_rows(const Problem& problem) {
  const Index k = problem.cardinality[0];
  for (const Index other : problem.cardinality) {
    if (other != k) {
      return skipped(
          fmt::format("all components have the same rows: cardinalities {} and {} were asked "
                      "for; accepted: "
                      "one for all components",
                      k, other));
    }
  }
  // Orthonormal columns of H need as many nonzero rows.
  if (k < problem.components) {
    return skipped(fmt::format(
        "{} rows are too few for {} orthonormal components; accepted: a cardinality of at "
        "least {}",
        k, problem.components, problem.components));
  }
  return std::nullopt;
}

std::optional<Solution> refuse_rank(const Eigenpairs& leading) {
  // Relative to the largest eigenvalue, because rounding is.
  const Index rank = (leading.values.array() > kRankTolerance * leading.values[0]).count();
  if (rank == leading.values.size()) {
    return std::nullopt;
  }
  return skipped(
      fmt::format("{0} principal components have zero loss already: {1} were asked for; accepted: "
                  "at most {0} components",
                  rank, leading.values.size()));
}

Eigenpairs encoder_eigenpairs(const Problem& problem, Budget& budget) {
  // Timed apart, because every choice of columns needs the same eigenpairs.
  Eigenpairs leading = leading_eigenpairs(problem.covariance, problem.components);
  budget.phases().finish("eigenpairs");
  return leading;
}

Solution solve_encoder_batch(const Problem& problem, const std::string& method, Budget& budget) {
  if (std::optional<Solution> refusal = refuse_common_rows(problem)) {
    return *std::move(refusal);
  }
  const Eigenpairs leading = encoder_eigenpairs(problem, budget);
  if (std::optional<Solution> refusal = refuse_rank(leading)) {
    return *std::move(refusal);
  }
  const ColumnChoice choice{.method = method,
                            .components = problem.components,
                            .k = problem.cardinality[0],
                            .seed = problem.seed,
                            .threads = problem.threads};
  // The encoder does not depend on the order of the rows, and supports ascend.
  const Support rows = sorted(choose_columns(problem.covariance, leading, choice, budget));
  return make_solution(linear_encoder(problem.covariance, rows, problem.components).components,
                       budget);
}

}  // namespace spca

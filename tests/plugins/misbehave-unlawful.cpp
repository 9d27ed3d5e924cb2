#include <cmath>

#include "spca/solving/solver.h"

namespace spca {
namespace {

/// Returns a unit vector on the first k variables that is far from the best encoder on them.
Solution solve_misbehave_unlawful(const Problem& problem, const NoOptions&, Budget& budget) {
  const Index count = problem.cardinality.front();
  Component component{.support = {}, .values = Vector(count)};
  for (Index i = 0; i < count; ++i) {
    component.support.push_back(i);
    component.values[i] = (i % 2 == 0 ? 1 : -1) / std::sqrt(static_cast<double>(count));
  }
  return make_solution({component}, budget);
}

SPCA_SOLVER("misbehave-unlawful", solve_misbehave_unlawful,
            (Traits{.summary = "breaks what its traits promise",
                    .problem = "",
                    .source = "",
                    .laws = {"theorem5_slack"}}));

}  // namespace
}  // namespace spca

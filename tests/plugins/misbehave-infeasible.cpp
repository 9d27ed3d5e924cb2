#include <cmath>

#include "spca/solving/solver.h"

namespace spca {
namespace {

/// A unit vector with one nonzero more than allowed.
Solution solve_misbehave_infeasible(const Problem& problem, const NoOptions&, Budget& budget) {
  const Index count = problem.cardinality.front() + 1;
  Component component;
  for (Index i = 0; i < count; ++i) {
    component.support.push_back(i);
  }
  component.values = Vector::Constant(count, 1 / std::sqrt(static_cast<double>(count)));
  return make_solution({component}, budget);
}

SPCA_SOLVER("misbehave-infeasible", solve_misbehave_infeasible,
            (Traits{.summary = "has too many nonzeros", .problem = "", .source = ""}));

}  // namespace
}  // namespace spca

#include <cstdio>
#include <iostream>

#include "spca/solving/solver.h"

namespace spca {
namespace {

/// Writes to standard output, which is data, and answers with the first variable.
Solution solve_misbehave_aloud(const Problem&, const NoOptions&, Budget& budget) {
  std::cout << "aloud by C++" << std::endl;
  std::puts("aloud by C");
  std::fflush(stdout);
  return make_solution({{.support = {0}, .values = Vector::Ones(1)}}, budget);
}

SPCA_SOLVER("misbehave-aloud", solve_misbehave_aloud,
            (Traits{.summary = "writes to standard output", .problem = "", .source = ""}));

}  // namespace
}  // namespace spca

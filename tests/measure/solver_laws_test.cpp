#include "spca/measure/solver_laws.h"

#include <gtest/gtest.h>

#include "spca/base/error.h"

namespace spca::solver_laws_test {
namespace {

TEST(SolverLaws, AnUnknownLawIsRefusedWithItsSolver) {
  SolverEntry solver;
  solver.name = "mine";
  solver.traits.laws = {"gap", "theorem5_slak"};
  try {
    require_known_laws(solver);
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "solver mine: law \"theorem5_slak\" is no metric (did you mean "
                 "\"theorem5_slack\"?); accepted: a name of `spca list metrics`");
  }
  solver.traits.laws.back() = "theorem5_slack";
  require_known_laws(solver);
}

}  // namespace
}  // namespace spca::solver_laws_test

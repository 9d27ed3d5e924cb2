#include <cstdlib>
#include <ctime>
#include <string_view>

#include "spca/dense/sparsify.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

/// Returns the simulated change to this solver since its baseline: "worse", "slow", "failing",
/// "removed", "option" (it has one), "default" (its option has another default) or
/// "option-and-worse". Any other value leaves the solver unchanged.
std::string_view drift() {
  const char* word = std::getenv("SPCA_TEST_DRIFT");
  return word == nullptr ? "" : word;
}

void sleep_a_second() {
  const std::timespec second{.tv_sec = 1, .tv_nsec = 0};
  nanosleep(&second, nullptr);
}

/// An option that changes nothing.
struct DriftOptions {
  double unused = drift() == "default" ? 2 : 1;

  void describe(OptionVisitor& visit) { visit("unused", unused, "is not used"); }
};

/// Returns the best component on the k largest loadings of the leading eigenvector, as
/// solvers/threshold.cpp does, apart from the change that drift() names.
template <class Options>
Solution solve_threshold_drift(const Problem& problem, const Options&, Budget& budget) {
  Vector score = leading_eigenpairs(problem.covariance, 1).vectors.col(0).cwiseAbs();
  budget.next();
  if (drift().ends_with("worse")) {
    score = score.cwiseInverse();  // the one line that makes it worse: the smallest loadings
  }
  if (drift() == "slow") {
    sleep_a_second();
  }
  if (drift() == "failing") {
    throw std::runtime_error("<broken> & \"quoted\" \x01 \xff");
  }
  const Support support = top_k(score, problem.cardinality[0]);
  return make_solution({best_on_support(problem.covariance, support).component}, budget);
}

template <class Options>
bool add() {
  return SolverRegistry::instance().add(make_solver_entry(
      "threshold-drift", __FILE__, solve_threshold_drift<Options>,
      Traits{.summary = "changes behind the back of its baseline", .problem = "", .source = ""}));
}

[[maybe_unused]] const bool registered =
    drift() == "removed" ||
    (drift() == "default" || drift().starts_with("option") ? add<DriftOptions>()
                                                           : add<NoOptions>());

}  // namespace
}  // namespace spca

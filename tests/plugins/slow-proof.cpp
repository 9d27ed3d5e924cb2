/// A solver that needs two seconds for its answer, and the check of its proof another two.

#include <ctime>
#include <limits>

#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

constexpr long kMillisecond = 1'000'000;
constexpr int kSteps = 2000;

void sleep_a_millisecond() {
  const timespec time{.tv_sec = 0, .tv_nsec = kMillisecond};
  nanosleep(&time, nullptr);
}

class SlowCertificate final : public BoundCertificate {
 protected:
  double do_check(const Covariance& covariance, Index, Budget& budget) const override {
    for (int step = 0; step < kSteps; ++step) {
      if (!budget.next()) {
        return std::numeric_limits<double>::infinity();
      }
      sleep_a_millisecond();
    }
    return covariance.total_variance();
  }
};

Solution solve_slow_proof(const Problem& problem, const NoOptions&, Budget& budget) {
  for (int step = 0; step < kSteps; ++step) {
    sleep_a_millisecond();
  }
  Solution solution = make_solution({best_on_support(problem.covariance, {0}).component}, budget);
  solution.certificate = std::make_shared<SlowCertificate>();
  return solution;
}

SPCA_SOLVER("slow-proof", solve_slow_proof,
            (Traits{.summary = "answers and proves slowly", .problem = "none", .source = "tests"}));

}  // namespace
}  // namespace spca

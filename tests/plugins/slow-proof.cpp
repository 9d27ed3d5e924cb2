/// Takes most of its time to answer, and its proof takes as long to check.

#include <ctime>

#include "spca/algebra/eigenpairs.h"
#include "spca/solving/solver.h"

namespace spca {
namespace {

void sleep_two_seconds() {
  const timespec time{.tv_sec = 2, .tv_nsec = 0};
  nanosleep(&time, nullptr);
}

class SlowCertificate final : public BoundCertificate {
 public:
  double check(const Covariance& covariance, Index) const override {
    sleep_two_seconds();
    return covariance.total_variance();
  }
};

Solution solve_slow_proof(const Problem& problem, const NoOptions&, Budget& budget) {
  sleep_two_seconds();
  Solution solution = make_solution({best_on_support(problem.covariance, {0}).component}, budget);
  solution.certificate = std::make_shared<SlowCertificate>();
  return solution;
}

SPCA_SOLVER("slow-proof", solve_slow_proof,
            (Traits{.summary = "answers and proves slowly", .problem = "none", .source = "tests"}));

}  // namespace
}  // namespace spca

/// Checks a certificate. The solver spannogram-bound returns how it searched the directions of a
/// span, as a hint. The check computes from S a bound that no component of five variables exceeds.

#include <cstdio>

#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/solving/solve.h"

namespace {

constexpr spca::Index kCardinality = 5;
constexpr double kRounding = 1e-9;  // of a product with S

/// 200 x 30, two factors on all variables: no support stands out, but few directions do.
spca::Matrix factor_data() {
  spca::Random random(7);
  spca::Matrix factors(200, 2), weights(2, 30), data(200, 30);
  for (spca::Matrix* matrix : {&factors, &weights, &data}) {
    for (double& entry : matrix->reshaped()) {
      entry = random.normal();
    }
  }
  return 3 * factors * weights + data;
}

spca::SolveOutcome solved(const char* name, std::shared_ptr<const spca::Covariance> covariance) {
  const spca::SolverEntry& solver = spca::SolverRegistry::instance().get(name, "solver");
  return spca::solve({.covariance = std::move(covariance),
                      .solver = &solver,
                      .options = solver.complete_options(spca::Json::object(), ""),
                      .cardinality = {kCardinality}});
}

}  // namespace

int main() {
  const auto covariance = spca::make_covariance(factor_data(), spca::DataForm{});
  const spca::SolveOutcome certified = solved("spannogram-bound", covariance);
  const double bound = certified.solution.certificate->check(*covariance, kCardinality);
  std::printf("nothing explains more than %.4f\n", bound);
  bool holds = true;
  for (const char* name : {"spannogram-bound", "tpower", "diagonal"}) {
    const spca::SolveOutcome outcome = solved(name, covariance);
    const double value = covariance->quadratic_form(outcome.solution.components.at(0));
    std::printf("%-16s explains %.4f, %.2f %% below that\n", name, value,
                100 * (bound - value) / bound);
    holds = holds && value <= bound * (1 + kRounding);
  }
  return holds ? 0 : 1;
}

/// A certificate, checked: branch-bound says that no component of five variables explains more than
/// its own. The check computes the bound anew from S and believes nothing else.

#include <cstdio>

#include "spca/base/random.h"
#include "spca/solving/solve.h"

namespace {

constexpr spca::Index kCardinality = 5;
constexpr double kRounding = 1e-6;  // of the bound: what the search's own tolerance leaves

spca::SolveOutcome solved(const char* name, std::shared_ptr<const spca::Covariance> covariance) {
  const spca::SolverEntry& solver = spca::SolverRegistry::instance().get(name, "solver");
  return spca::solve({.covariance = std::move(covariance),
                      .solver = &solver,
                      .options = solver.complete_options(spca::Json::object(), ""),
                      .cardinality = {kCardinality}});
}

}  // namespace

int main() {
  // Random data, in which no support stands out: the hard case for a search.
  spca::Random random(7);
  spca::Matrix data(60, 30);
  for (double& entry : data.reshaped()) {
    entry = random.normal();
  }
  const auto covariance = spca::make_covariance(std::move(data), spca::DataForm{});

  const spca::SolveOutcome certified = solved("branch-bound", covariance);
  if (!certified.solution.certificate) {
    std::printf("no certificate: %s\n", certified.solution.message.c_str());
    return 1;
  }
  const double bound = certified.solution.certificate->check(*covariance, kCardinality);
  std::printf("nothing explains more than %.6f\n", bound);
  for (const char* name : {"branch-bound", "tpower", "threshold"}) {
    const spca::SolveOutcome outcome = solved(name, covariance);
    const double value = covariance->quadratic_form(outcome.solution.components.at(0));
    std::printf("%-12s explains %.6f: %s\n", name, value,
                value >= bound * (1 - kRounding) ? "optimal" : "not shown to be optimal");
    if (value > bound * (1 + kRounding)) {
      std::printf("the certificate is wrong\n");
      return 1;
    }
  }
  return 0;
}

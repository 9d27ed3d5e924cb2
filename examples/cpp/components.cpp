/// The leading sparse components of a matrix: two groups of variables that vary together, in noise.

#include <cstdio>

#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/solving/solve.h"

namespace {

/// X, 200 x 40: the variables 0 to 4 share one factor, 10 to 15 a weaker one.
spca::Matrix grouped_data() {
  spca::Random random(1);
  spca::Matrix data(200, 40);
  for (spca::Index i = 0; i < data.rows(); ++i) {
    const double first = 2 * random.normal();
    const double second = 1.5 * random.normal();
    for (spca::Index j = 0; j < data.cols(); ++j) {
      const double factor = j < 5 ? first : j >= 10 && j < 16 ? second : 0;
      data(i, j) = factor + random.normal();
    }
  }
  return data;
}

}  // namespace

int main() {
  const auto covariance = spca::make_covariance(grouped_data(), spca::DataForm{});
  const spca::SolverEntry& solver = spca::SolverRegistry::instance().get("tpower", "solver");
  const spca::SolveOutcome outcome = spca::solve({
      .covariance = covariance,
      .solver = &solver,
      .options = solver.complete_options(spca::Json::object(), ""),
      .components = 2,
      .cardinality = {5, 6},
      .deflation = &spca::DeflationRegistry::instance().get("projection", "deflation"),
  });
  std::printf("%s, %.0f products with S\n", spca::status_name(outcome.solution.status),
              outcome.cost.products);
  for (const spca::Component& component : outcome.solution.components) {
    std::printf("%5.1f %% of the variance:",
                100 * covariance->quadratic_form(component) / covariance->total_variance());
    for (spca::Index i = 0; i < component.cardinality(); ++i) {
      std::printf("  x%td %+.2f", component.support[static_cast<std::size_t>(i)],
                  component.values[i]);
    }
    std::printf("\n");
  }
  return outcome.solution.components.size() == 2 ? 0 : 1;
}

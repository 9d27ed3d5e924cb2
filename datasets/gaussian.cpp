/// Gaussian noise: X with independent entries N(0, 1/n), so that the columns have length near 1.
/// S = X'X, not centred. The source compares its homotopy on these random instances.
/// Source  M. Journee, F. Bach, P.-A. Absil, R. Sepulchre, Low-rank optimization for semidefinite
///         convex problems, SIAM Journal on Optimization 20:2327, 2010; the printed "50 x 25" is
///         variables x samples

#include <cmath>

#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/data/dataset.h"

namespace spca::dataset_gaussian {
namespace {

struct GaussianOptions {
  Index samples = 25;
  Index variables = 50;

  void describe(OptionVisitor& visit) {
    visit("samples", samples, "n, rows of X", at_least(1));
    visit("variables", variables, "p, columns of X", at_least(1));
  }
};

Dataset load_gaussian(const GaussianOptions& options, const DatasetRequest& request) {
  Random random(request.seed);
  Matrix data(options.samples, options.variables);
  const double deviation = 1 / std::sqrt(static_cast<double>(options.samples));
  for (double& entry : data.reshaped()) {
    entry = deviation * random.normal();
  }
  return {
      .covariance = make_covariance(std::move(data), {.centered = false, .scale = Scale::kNone}),
      .variable_names = {},
      .truth = {}};
}

SPCA_DATASET("gaussian", load_gaussian,
             (DatasetTraits{.summary = "independent entries N(0, 1/n), S = X'X, not centred",
                            .shape = "samples x variables",
                            .source = "Journee, Bach, Absil, Sepulchre, SIAM J. Optim. 2010",
                            .generated = true}));

}  // namespace
}  // namespace spca::dataset_gaussian

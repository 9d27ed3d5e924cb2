/// Gaussian noise of unit variance: X with independent entries N(0, 1), S = X'X, not centred. These
/// are the instances of Table 1 of the source if its words "zero mean and unit variance" are taken
/// literally. The data set gaussian has the same matrices X divided by sqrt(n).
/// Source  M. Journee, F. Bach, P.-A. Absil, R. Sepulchre, Refining sparse principal components,
///         2010, section 4

#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/data/dataset.h"

namespace spca::dataset_gaussian_unit {
namespace {

struct GaussianUnitOptions {
  Index samples = 25;
  Index variables = 50;

  void describe(OptionVisitor& visit) {
    visit("samples", samples, "n, rows of X", at_least(1));
    visit("variables", variables, "p, columns of X", at_least(1));
  }
};

Dataset load_gaussian_unit(const GaussianUnitOptions& options, const DatasetRequest& request) {
  Random random(request.seed);
  Matrix data(options.samples, options.variables);
  for (double& entry : data.reshaped()) {
    entry = random.normal();
  }
  return {
      .covariance = make_covariance(std::move(data), {.centered = false, .scale = Scale::kNone}),
      .variable_names = {},
      .truth = {}};
}

SPCA_DATASET("gaussian-unit", load_gaussian_unit,
             (DatasetTraits{.summary = "independent entries N(0, 1), S = X'X, not centred",
                            .shape = "samples x variables",
                            .source = "Journee, Bach, Absil, Sepulchre 2010, section 4",
                            .generated = true}));

}  // namespace
}  // namespace spca::dataset_gaussian_unit

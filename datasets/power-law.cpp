/// A spectrum that decays by a power law: S = Q diag(lambda) Q' with lambda_i = i^-exponent for
/// i = 1..eigenvalues, 0 beyond, and Q, variables x eigenvalues, uniformly distributed among the
/// matrices of orthonormal columns. The data set holds X = diag(sqrt(lambda)) Q', and S = X'X is
/// not formed.
/// Source  the spectra of Corollary 2 of D. Papailiopoulos, A. Dimakis, S. Korokythakis, ICML 2013;
///         that the span of Gaussian vectors is uniformly distributed is well known

#include <fmt/format.h>

#include <cmath>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/data/dataset.h"
#include "spca/dense/dense_decompositions.h"

namespace spca::dataset_power_law {
namespace {

struct PowerLawOptions {
  Index variables = 100;
  Index eigenvalues = 0;
  double exponent = 1;

  void describe(OptionVisitor& visit) {
    visit("variables", variables, "p", at_least(1));
    visit("eigenvalues", eigenvalues, "number of positive eigenvalues; 0: all p of them",
          at_least(0));
    visit("exponent", exponent, "lambda_i = i^-exponent; at 0 all are equal", between(0, 100));
  }
};

Dataset load_power_law(const PowerLawOptions& options, const DatasetRequest& request) {
  if (options.eigenvalues > options.variables) {
    throw InputError(
        fmt::format("/options/eigenvalues: {} is out of range; accepted: at most one "
                    "for each of the {} variables",
                    options.eigenvalues, options.variables));
  }
  const Index count = options.eigenvalues == 0 ? options.variables : options.eigenvalues;
  Random random(request.seed);
  Matrix gaussian(options.variables, count);
  for (double& entry : gaussian.reshaped()) {
    entry = random.normal();
  }
  // The factor Q of a Gaussian matrix is uniform except for the signs of its columns, which do not
  // affect S; pivots depend on lengths, not on directions.
  Matrix data = orthonormal_basis(gaussian, 0).transpose();
  for (Index i = 0; i < count; ++i) {
    data.row(i) *= std::pow(static_cast<double>(i + 1), -options.exponent / 2);
  }
  return {
      .covariance = make_covariance(std::move(data), {.centered = false, .scale = Scale::kNone}),
      .variable_names = {},
      .truth = {}};
}

SPCA_DATASET("power-law", load_power_law,
             (DatasetTraits{.summary = "eigenvalues i^-exponent, eigenvectors drawn uniformly",
                            .shape = "eigenvalues x variables",
                            .source = "Papailiopoulos, Dimakis, Korokythakis, ICML 2013",
                            .generated = true}));

}  // namespace
}  // namespace spca::dataset_power_law

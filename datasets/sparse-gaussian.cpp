/// Sparse noise: an entry of X is nonzero with the probability `density`, and is then N(0, 1 / (n
/// density)), so that columns have length near 1. S = X'X, not centred. No support stands out, so
/// that differences are due to the methods. Made to measure time and memory at any size.
/// Source  this project

#include <cmath>

#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/data/dataset.h"

namespace spca::dataset_sparse_gaussian {
namespace {

struct SparseGaussianOptions {
  Index samples = 1000;
  Index variables = 1000;
  double density = 0.01;

  void describe(OptionVisitor& visit) {
    visit("samples", samples, "n, rows of X", at_least(1));
    visit("variables", variables, "p, columns of X", at_least(1));
    visit("density", density, "probability that an entry is nonzero",
          Range{.minimum = 0, .maximum = 1, .minimum_excluded = true});
  }
};

Dataset load_sparse_gaussian(const SparseGaussianOptions& options, const DatasetRequest& request) {
  Random random(request.seed);
  const double deviation = 1 / std::sqrt(static_cast<double>(options.samples) * options.density);
  SparseRows data(options.samples, options.variables);
  for (Index row = 0; row < options.samples; ++row) {
    data.startVec(row);
    for (Index column = 0; column < options.variables; ++column) {
      if (random.uniform() < options.density) {
        data.insertBack(row, column) = deviation * random.normal();
      }
    }
  }
  data.finalize();
  // Eigen 3.4 moves a sparse matrix only if it is marked so, and copies it otherwise.
  return {.covariance =
              make_covariance(data.markAsRValue(), {.centered = false, .scale = Scale::kNone}),
          .variable_names = {},
          .truth = {}};
}

SPCA_DATASET("sparse-gaussian", load_sparse_gaussian,
             (DatasetTraits{.summary = "independent sparse entries, normal where not zero, "
                                       "S = X'X, not centred",
                            .shape = "samples x variables",
                            .source = "this project",
                            .generated = true}));

}  // namespace
}  // namespace spca::dataset_sparse_gaussian

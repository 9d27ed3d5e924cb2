/// Two sparse spikes: samples of N(0, Sigma), where Sigma is lambda1 v1 v1' + lambda2 v2 v2' and
/// the identity orthogonal to v1 and v2. v1 has `cardinality` equal nonzeros on the first
/// variables, v2 as many on the next ones. A sample is drawn as
///
///   x = sqrt(lambda1) z1 v1 + sqrt(lambda2) z2 v2 + (I - v1 v1' - v2 v2') z,   z1, z2, z normal.
///
/// Not centred (the mean is known to be zero), scale n.
/// Source  H. Shen, J. Z. Huang, J. Multivariate Analysis 99:1015, 2008; as used in section 4.1 of
///         D. Papailiopoulos, A. Dimakis, S. Korokythakis, ICML 2013

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/data/dataset.h"

namespace spca::dataset_spiked {
namespace {

struct SpikedOptions {
  Index samples = 50;
  Index variables = 500;
  Index cardinality = 10;
  double lambda1 = 400;
  double lambda2 = 300;

  void describe(OptionVisitor& visit) {
    visit("samples", samples, "n, rows of X", at_least(1));
    visit("variables", variables, "p, columns of X", at_least(2));
    visit("cardinality", cardinality, "nonzeros of each sparse eigenvector; twice it is at most p",
          at_least(1));
    visit("lambda1", lambda1, "largest eigenvalue of Sigma; all but two are 1", above(0));
    visit("lambda2", lambda2, "second eigenvalue of Sigma", above(0));
  }
};

/// Returns the component with the entries 1/sqrt(k) at begin, ..., begin + k - 1.
Component block_component(Index begin, Index k) {
  Component component{.support = Support(static_cast<std::size_t>(k)),
                      .values = Vector::Constant(k, 1 / std::sqrt(static_cast<double>(k)))};
  std::iota(component.support.begin(), component.support.end(), begin);
  return component;
}

/// Rows of `data` hold z; replaces their part along v by sqrt(lambda) times a fresh normal.
void plant(const Component& v, double lambda, Random& random, Matrix& data) {
  auto block = data.middleCols(v.support.front(), v.cardinality());
  Vector scores(data.rows());
  for (double& score : scores) {
    score = std::sqrt(lambda) * random.normal();
  }
  scores.noalias() -= block * v.values;
  block.noalias() += scores * v.values.transpose();
}

Dataset load_spiked(const SpikedOptions& options, const DatasetRequest& request) {
  if (2 * options.cardinality > options.variables) {
    throw InputError(
        fmt::format("/options/cardinality: {} is out of range; accepted: at most "
                    "half of the {} variables, because the two supports are disjoint",
                    options.cardinality, options.variables));
  }
  Random random(request.seed);
  Matrix data(options.samples, options.variables);
  for (double& entry : data.reshaped()) {
    entry = random.normal();
  }
  std::vector<Component> truth = {block_component(0, options.cardinality),
                                  block_component(options.cardinality, options.cardinality)};
  plant(truth[0], options.lambda1, random, data);
  plant(truth[1], options.lambda2, random, data);
  return {
      .covariance = make_covariance(std::move(data), {.centered = false, .scale = Scale::kSamples}),
      .variable_names = {},
      .truth = std::move(truth)};
}

SPCA_DATASET("spiked", load_spiked,
             (DatasetTraits{.summary = "two sparse eigenvectors in identity noise, not centred",
                            .shape = "samples x variables",
                            .source = "Shen, Huang, J. Multivariate Analysis 99:1015, 2008",
                            .generated = true}));

}  // namespace
}  // namespace spca::dataset_spiked

/// One sparse spike, the model on which the theory of sparse PCA is stated: samples of N(0, Sigma),
///
///   Sigma = I + strength v v',   x = sqrt(strength) z0 v + z,   z0, z normal,
///
/// where v has k = `cardinality` nonzeros +-1/sqrt(k), with positions and signs drawn uniformly.
/// S = X'X/n is then a spiked Wishart matrix divided by n. Not centred: the mean is known to be
/// zero.
/// Source  A. Amini, M. Wainwright, High-dimensional analysis of semidefinite relaxations for
///         sparse principal components, Annals of Statistics 37:2877, 2009, with Gamma = I; the
///         ensemble of I. Johnstone, Annals of Statistics 29:295, 2001

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/data/dataset.h"
#include "spca/dense/dense_selections.h"

namespace spca::dataset_spiked_wishart {
namespace {

struct SpikedWishartOptions {
  Index samples = 100;
  Index variables = 100;
  Index cardinality = 10;
  double strength = 3;

  void describe(OptionVisitor& visit) {
    visit("samples", samples, "n, rows of X", at_least(1));
    visit("variables", variables, "p, columns of X", at_least(1));
    visit("cardinality", cardinality, "k, nonzeros of the spike; at most p", at_least(1));
    visit("strength", strength,
          "excess of the largest eigenvalue of Sigma over 1, the others' value", above(0));
  }
};

/// Draws k of p positions, each set with equal probability, and a sign for each.
Component draw_spike(Index p, Index k, Random& random) {
  Support positions = all_variables(p);
  for (Index i = 0; i < k; ++i) {
    const auto other = i + static_cast<Index>(random.below(static_cast<std::uint64_t>(p - i)));
    std::swap(positions[static_cast<std::size_t>(i)], positions[static_cast<std::size_t>(other)]);
  }
  Component spike{.support = Support(positions.begin(), positions.begin() + k),
                  .values = Vector(k)};
  std::sort(spike.support.begin(), spike.support.end());
  const double entry = 1 / std::sqrt(static_cast<double>(k));
  for (double& value : spike.values) {
    value = random.below(2) == 0 ? entry : -entry;
  }
  return spike;
}

Dataset load_spiked_wishart(const SpikedWishartOptions& options, const DatasetRequest& request) {
  if (options.cardinality > options.variables) {
    throw InputError(fmt::format(
        "/options/cardinality: {} is out of range; accepted: at most the number of variables, {}",
        options.cardinality, options.variables));
  }
  Random random(request.seed);
  Component spike = draw_spike(options.variables, options.cardinality, random);
  Matrix data(options.samples, options.variables);
  for (double& entry : data.reshaped()) {
    entry = random.normal();
  }
  const double deviation = std::sqrt(options.strength);
  Vector scores(options.samples);
  for (double& score : scores) {
    score = deviation * random.normal();
  }
  for (Index i = 0; i < options.cardinality; ++i) {
    data.col(spike.support[static_cast<std::size_t>(i)]) += spike.values[i] * scores;
  }
  return {
      .covariance = make_covariance(std::move(data), {.centered = false, .scale = Scale::kSamples}),
      .variable_names = {},
      .truth = {std::move(spike)}};
}

SPCA_DATASET("spiked-wishart", load_spiked_wishart,
             (DatasetTraits{.summary = "one sparse eigenvector in identity noise, not centred",
                            .shape = "samples x variables",
                            .source = "Amini, Wainwright, Annals of Statistics 2009",
                            .generated = true}));

}  // namespace
}  // namespace spca::dataset_spiked_wishart

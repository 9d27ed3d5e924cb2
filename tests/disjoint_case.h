#pragma once

/// Problems of several components with disjoint supports, small enough for enumeration.

#include <algorithm>
#include <memory>
#include <vector>

#include "spca/base/random.h"
#include "spca/covariance/covariance.h"
#include "spca/covariance/covariance_explicit.h"
#include "tests/solver_testing.h"

namespace spca::trial {

struct DisjointCase {
  std::shared_ptr<const Covariance> covariance;
  Matrix matrix;  // S
  std::vector<Index> cardinality;
};

/// Limits on the number of variables, the number of components, and the cardinalities.
struct DisjointSizes {
  Index fewest_variables = 6;
  Index most_variables = 14;
  Index most_components = 4;
  Index largest_cardinality = 5;
};

/// Draws a problem whose kind depends on the seed: generic data, a copied variable, a zero
/// variable, two samples, or whole numbers, which cause ties.
inline DisjointCase random_disjoint_case(int seed, const DisjointSizes& sizes = {}) {
  Random random(static_cast<std::uint64_t>(seed));
  const auto below = [&](Index n) {
    return static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
  };
  const Index p = sizes.fewest_variables + below(sizes.most_variables - sizes.fewest_variables + 1);
  const Index n = seed % 5 == 3 ? 2 : 3 + below(2 * p);
  Matrix data = random_matrix(n, p, random);
  if (seed % 5 == 1) {
    data.col(p - 1) = data.col(0);
  } else if (seed % 5 == 2) {
    data.col(1).setZero();
  } else if (seed % 5 == 4) {
    data = data.array().round();
    data(0, 0) = 1;
  }
  DisjointCase drawn;
  drawn.matrix = data.transpose() * data;
  drawn.covariance = make_explicit_covariance(drawn.matrix);
  Index left = p;
  for (Index r = 1 + below(sizes.most_components); r > 0 && left > 0; --r) {
    drawn.cardinality.push_back(std::min(left, 1 + below(sizes.largest_cardinality)));
    left -= drawn.cardinality.back();
  }
  return drawn;
}

}  // namespace spca::trial

#pragma once

/// Random problems of several orthogonal components.

#include <algorithm>
#include <vector>

#include "spca/base/random.h"
#include "spca/methods/orthogonal/orthogonal_search.h"
#include "tests/solver_testing.h"

namespace spca::trial {

/// Tolerance, relative to the trace, between bound and value, which are sums of the same products
/// in different orders.
inline constexpr double kSum = 1e-9;

/// A problem of several orthogonal components.
struct OrthogonalCase {
  Matrix matrix;
  std::vector<Index> cardinality;
};

inline Matrix covariance_of(const Matrix& data) {
  const Matrix product = data.transpose() * data;
  return 0.5 * (product + product.transpose());
}

/// Draws a problem with cardinalities of at most `max_k`. `kind` chooses among few samples, whole
/// numbers, and equal and zero columns.
inline OrthogonalCase random_orthogonal_case(Random& random, int kind, Index p, Index r,
                                             Index max_k) {
  const Index n = kind % 5 == 0 ? 2 : kind % 5 == 1 ? p - 2 : p + 3;
  Matrix data = trial::random_matrix(n, p, random);
  if (kind % 4 == 1) {
    data = data.array().round().matrix();
  }
  if (kind % 4 == 2) {
    data.col(0) = data.col(1);
    data.col(p - 1).setZero();
  }
  OrthogonalCase result{.matrix = covariance_of(data), .cardinality = {}};
  for (Index t = 0; t < r; ++t) {
    result.cardinality.push_back(
        1 + static_cast<Index>(random.below(static_cast<std::uint64_t>(max_k))));
  }
  return result;
}

/// Returns the best value that 20 starts reach: one by deflation, the others at random.
inline double best_of_starts(const OrthogonalCase& one, Random& random) {
  const OrthogonalSearch search(one.matrix, one.cardinality,
                                {.of_loadings = true, .of_scores = false});
  double best = 0;
  for (int start = 0; start < 20; ++start) {
    OrthogonalComponents state = start == 0 ? search.by_deflation() : search.drawn(random);
    if (!state.is_empty()) {
      search.exchange(state, [](double) { return true; });
      best = std::max(best, state.value);
    }
  }
  return best;
}

}  // namespace spca::trial

#pragma once

/// What the tests of single solvers share: small data, one call of a solver, comparison up to sign.

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "spca/random.h"
#include "spca/solver.h"
#include "spca/sparsify.h"

namespace spca::trial {

/// Two ways of computing the same few iterations differ by rounding alone.
inline constexpr double kSameIterate = 1e-10;
/// A method stopped at a relative growth of 1e-14 of its objective is off by about its square root.
inline constexpr double kFixedPoint = 1e-6;
inline constexpr double kTightTolerance = 1e-14;
/// Rounding of one objective, relative.
inline constexpr double kRounding = 1e-12;

inline Matrix random_data(Index n, Index p, std::uint64_t seed) {
  Random random(seed);
  Matrix data(n, p);
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < n; ++i) {
      data(i, j) = random.normal() / (1 + 0.1 * static_cast<double>(j));
    }
  }
  return data;
}

inline std::shared_ptr<const Covariance> as_covariance(const Matrix& data) {
  return make_covariance(Matrix(data), {.centered = false, .scale = Scale::kNone});
}

inline Solution run(const std::string& name, const Covariance& covariance, const Json& options,
                    Index components, Budget& budget) {
  const SolverEntry& entry = SolverRegistry::instance().get(name, "solver");
  const Problem problem{.covariance = covariance, .components = components, .cardinality = {}};
  return entry.solve(problem, entry.complete_options(options, "/options"), budget);
}

inline std::vector<Component> loadings(const std::string& name, const Covariance& covariance,
                                       const Json& options, Index components = 1) {
  Budget budget;
  return run(name, covariance, options, components, budget).components;
}

/// Up to its sign.
inline void expect_parallel(const Vector& found, const Vector& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  const double sign = found.dot(expected) < 0 ? -1 : 1;
  EXPECT_LT((sign * found - expected).cwiseAbs().maxCoeff(), tolerance);
}

/// h(w) of both penalties.
inline Vector thresholded(const Vector& w, bool soft, double level) {
  return soft ? soft_threshold(w, level) : hard_threshold(w, level);
}

}  // namespace spca::trial

#pragma once

/// Functions that the tests of single solvers share: small data, one call of a solver, comparison
/// up to sign.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/sparsify.h"
#include "spca/solving/solver.h"
#include "tests/sanitized.h"

namespace spca::trial {

/// Tolerance between two computations of the same few iterations, which differ only by rounding.
inline constexpr double kSameIterate = 1e-10;
/// Tolerance of loadings when a method stops at a relative growth of its objective of
/// kTightTolerance: ten times its square root.
inline constexpr double kFixedPoint = 1e-6;
inline constexpr double kTightTolerance = 1e-14;
/// Relative rounding of an objective.
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

/// Returns a matrix of standard normal entries.
inline Matrix random_matrix(Index rows, Index columns, Random& random) {
  Matrix matrix(rows, columns);
  for (double& entry : matrix.reshaped()) {
    entry = random.normal();
  }
  return matrix;
}

inline Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  return random_matrix(rows, columns, random);
}

/// Returns S = A'A as a given covariance, exactly symmetric.
inline std::shared_ptr<const Covariance> as_explicit(const Matrix& data) {
  const Matrix product = data.transpose() * data;
  return make_explicit_covariance(0.5 * (product + product.transpose()));
}

/// Returns the fact of this name that the solver reports.
inline double fact(const Solution& solution, const std::string& name) {
  for (const auto& [known, value] : solution.facts) {
    if (known == name) {
      return value;
    }
  }
  ADD_FAILURE() << "no fact " << name;
  return kNotMeasured;
}

/// Calls use(support) for every support of cardinality k among p <= 31 variables.
template <class Use>
void for_each_support(Index p, Index k, Use use) {
  for (std::uint32_t mask = 0; mask < (1U << p); ++mask) {
    if (std::popcount(mask) == static_cast<int>(k)) {
      Support support;
      for (Index i = 0; i < p; ++i) {
        if ((mask >> i & 1U) != 0) {
          support.push_back(i);
        }
      }
      use(support);
    }
  }
}

/// The support of k variables with the largest lambda_max(S_II); the first of several with this
/// value.
struct BestSupport {
  double value = 0;
  Support support;
};
inline BestSupport best_by_enumeration(const Covariance& covariance, Index k) {
  BestSupport best;
  for_each_support(covariance.variables(), k, [&](const Support& support) {
    const double value = symmetric_eigenvalues(covariance.submatrix(support)).maxCoeff();
    if (value > best.value) {
      best = {.value = value, .support = support};
    }
  });
  return best;
}

/// Returns the largest lambda_max(S_II) over supports of k variables as entry k - 1, for every k.
inline Vector optima_by_enumeration(const Matrix& matrix) {
  Vector optima = Vector::Zero(matrix.rows());
  for (Index k = 1; k <= matrix.rows(); ++k) {
    for_each_support(matrix.rows(), k, [&](const Support& support) {
      const double value = symmetric_eigenvalues(matrix(support, support)).maxCoeff();
      optima[k - 1] = std::max(optima[k - 1], value);
    });
  }
  return optima;
}
inline Vector optima_by_enumeration(const Covariance& covariance) {
  Support all(static_cast<std::size_t>(covariance.variables()));
  std::iota(all.begin(), all.end(), Index{0});
  return optima_by_enumeration(covariance.submatrix(all));
}

/// Expects equal vectors up to sign.
inline void expect_parallel(const Vector& found, const Vector& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  const double sign = found.dot(expected) < 0 ? -1 : 1;
  EXPECT_LT((sign * found - expected).cwiseAbs().maxCoeff(), tolerance);
}

/// Returns h(w): soft thresholding for the l1 penalty, hard thresholding for the l0 penalty.
inline Vector thresholded(const Vector& w, bool soft, double level) {
  return soft ? soft_threshold(w, level) : hard_threshold(w, level);
}

}  // namespace spca::trial

#pragma once

/// Functions that the tests of linear encoders share: they draw data, solve, and evaluate dense
/// formulas with an explicit X.

#include <gtest/gtest.h>

#include <algorithm>

#include "spca/base/random.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/solving/solve.h"
#include "tests/dense_reference.h"
#include "tests/metric_testing.h"
#include "tests/solver_testing.h"

namespace spca::trial {

// Tolerance of losses, which are ratios of order 1, computed from squares of a matrix and two
// eigenproblems.
inline constexpr double kLossRounding = 1e-9;
// Tolerance of sums of at most 200 terms of order 1.
inline constexpr double kSumRounding = 1e-10;

/// Returns data of three strong directions plus noise, with a spectrum neither flat nor of low
/// rank.
inline Matrix random_samples(Index n, Index p, std::uint64_t seed) {
  Random random(seed);
  const auto normal = [&](Index rows, Index columns) {
    Matrix matrix(rows, columns);
    for (double& entry : matrix.reshaped()) {
      entry = random.normal();
    }
    return matrix;
  };
  const Matrix scores = normal(n, 3);
  const Matrix directions = normal(3, p);
  return scores * directions + normal(n, p);
}

inline SolveOutcome solve_with(const std::string& name,
                               std::shared_ptr<const Covariance> covariance,
                               std::vector<Index> cardinality, const Json& options = Json::object(),
                               std::uint64_t seed = 1) {
  const SolverEntry& entry = SolverRegistry::instance().get(name, "solver");
  const auto count = static_cast<Index>(cardinality.size());
  return solve({.covariance = std::move(covariance),
                .solver = &entry,
                .options = entry.complete_options(options, "/options"),
                .components = count,
                .cardinality = std::move(cardinality),
                .seed = seed});
}

inline std::vector<Index> equal(Index r, Index k) {
  return std::vector<Index>(static_cast<std::size_t>(r), k);
}

inline Matrix dense(const std::vector<Component>& components, Index p) {
  Matrix h(p, std::ssize(components));
  for (Index j = 0; j < h.cols(); ++j) {
    h.col(j) = to_dense(components[static_cast<std::size_t>(j)], p);
  }
  return h;
}

/// Returns ||X - XH(XH)^+X||_F^2, evaluated literally.
inline double dense_loss(const Matrix& x, const Matrix& h) {
  const Matrix scores = x * h;
  return (x - scores * pseudo_inverse(scores) * x).squaredNorm();
}

inline double pca_loss(const Matrix& x, Index r) {
  const Vector values = symmetric_eigenvalues(x.transpose() * x).reverse();
  return values.tail(values.size() - r).sum();
}

/// Returns ||X - X_{C,r}||_F^2, from the singular values of the projection of X onto the columns C.
inline double dense_loss_on_columns(const Matrix& x, const Support& support, Index r) {
  const Matrix c = x(Eigen::all, support);
  const Vector held = singular_values(c * pseudo_inverse(c) * x);
  return x.squaredNorm() - held.head(std::min(r, held.size())).squaredNorm();
}

}  // namespace spca::trial

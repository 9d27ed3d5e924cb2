/// Tests of the bound by costs of pairs: any costs and prices give a bound, and the projections by
/// which the costs are sought are the nearest points.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>

#include "spca/base/cardinality.h"
#include "spca/base/random.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/methods/pairs/core_proof.h"
#include "spca/methods/pairs/fantope_projection.h"
#include "spca/methods/pairs/pair_bound.h"
#include "spca/methods/pairs/pair_descent.h"
#include "spca/methods/pairs/pair_projection.h"
#include "spca/methods/pairs/pair_search.h"
#include "tests/disjoint_case.h"
#include "tests/solver_testing.h"

namespace spca::pair_bound_test {
namespace {

using trial::DisjointCase;

constexpr auto kAlways = [](double) { return true; };
constexpr trial::DisjointSizes kSizes = {
    .fewest_variables = 4, .most_variables = 9, .most_components = 3, .largest_cardinality = 4};

double rounding_of(const DisjointCase& trial) { return 1e-9 * (1 + trial.matrix.trace()); }

/// Returns the largest eigenvalue of S on each set of variables. Bit i of the index of a value says
/// whether variable i is in the set.
std::vector<double> values_of_sets(const Matrix& matrix) {
  std::vector<double> values(std::size_t{1} << matrix.rows(), 0);
  for (std::size_t set = 1; set < values.size(); ++set) {
    Support support;
    for (Index variable = 0; variable < matrix.rows(); ++variable) {
      if (set >> variable & 1) {
        support.push_back(variable);
      }
    }
    values[set] = symmetric_eigenvalues(Matrix(matrix(support, support)))[std::ssize(support) - 1];
  }
  return values;
}

/// Returns the optimum by enumeration: each variable is in one component, or in none.
double optimum_of(const DisjointCase& trial) {
  const std::vector<double> values = values_of_sets(trial.matrix);
  std::vector<std::size_t> sets(trial.cardinality.size(), 0);
  double best = 0;
  const std::function<void(Index)> place = [&](Index variable) {
    if (variable == trial.matrix.rows()) {
      double value = 0;
      for (const std::size_t set : sets) {
        value += values[set];
      }
      best = std::max(best, value);
      return;
    }
    place(variable + 1);
    for (std::size_t j = 0; j < sets.size(); ++j) {
      if (std::popcount(sets[j]) < trial.cardinality[j]) {
        sets[j] |= std::size_t{1} << variable;
        place(variable + 1);
        sets[j] ^= std::size_t{1} << variable;
      }
    }
  };
  place(0);
  return best;
}

/// Returns the first variables as a core, which need not have the largest variances.
Support first_variables(const DisjointCase& trial, Index outside) {
  const Index places = total_cardinality(trial.cardinality);
  Support core(static_cast<std::size_t>(std::max(places, trial.matrix.rows() - outside)));
  std::iota(core.begin(), core.end(), 0);
  return core;
}

Index largest_of(const std::vector<Index>& cardinality) {
  return *std::max_element(cardinality.begin(), cardinality.end());
}

TEST(PairBound, IsNeverBelowTheOptimum) {
  constexpr int kTrials = trial::tries(200);
  double excess = 0;
  for (int seed = 0; seed < kTrials; ++seed) {
    SCOPED_TRACE(seed);
    const DisjointCase trial = trial::random_disjoint_case(seed, kSizes);
    const double optimum = optimum_of(trial);
    const PairBound bound =
        pair_bound(trial.matrix, trial.cardinality, OutsideVariables(), 0, kAlways);
    EXPECT_GE(bound.value, optimum - rounding_of(trial));
    EXPECT_EQ(bound.value,
              pair_bound_at(trial.matrix, trial.cardinality, OutsideVariables(), bound.proof));
    // The search waits longer if it is close to the target.
    const PairBound patient =
        pair_bound(trial.matrix, trial.cardinality, OutsideVariables(), optimum, kAlways);
    EXPECT_GE(patient.value, optimum - rounding_of(trial));
    EXPECT_LE(patient.value, bound.value);
    excess += bound.value / optimum - 1;
  }
  EXPECT_LT(excess / kTrials, 0.1);
}

/// Returns costs that are the entries of S, multiplied by random ratios and their inverses, plus
/// noise, and random prices. If `noise` is 0, the products C_il C_li are those of S.
PairProof random_proof(const DisjointCase& trial, double noise, Random& random) {
  const Index p = trial.matrix.rows();
  PairProof proof{.costs = trial.matrix, .prices = Vector::Zero(p)};
  for (Index i = 0; i < p; ++i) {
    proof.prices[i] = noise * random.normal();
    for (Index l = 0; l < i; ++l) {
      const double ratio = std::exp(random.normal());
      proof.costs(i, l) = ratio * (proof.costs(i, l) + noise * random.normal());
      proof.costs(l, i) = proof.costs(l, i) / ratio + noise * random.normal();
    }
  }
  return proof;
}

TEST(PairBound, AnyCostsAndPricesGiveABound) {
  for (int seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const DisjointCase trial = trial::random_disjoint_case(seed, kSizes);
    const double optimum = optimum_of(trial);
    const Support core = first_variables(trial, 3);
    const OutsideVariables outside(*trial.covariance, core, largest_of(trial.cardinality));
    Random random(static_cast<std::uint64_t>(seed + 1000));
    for (const double noise : {0.0, 0.1, 1.0}) {
      const PairProof proof = random_proof(trial, noise, random);
      EXPECT_GE(pair_bound_at(trial.matrix, trial.cardinality, OutsideVariables(), proof),
                optimum - rounding_of(trial));
      const PairProof part{.costs = proof.costs(core, core), .prices = proof.prices(core)};
      EXPECT_GE(pair_bound_at(trial.covariance->submatrix(core), trial.cardinality, outside, part),
                optimum - rounding_of(trial));
    }
  }
}

TEST(PairBound, CoversVariablesOutsideOfTheCore) {
  for (int seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const DisjointCase trial = trial::random_disjoint_case(seed, kSizes);
    const double optimum = optimum_of(trial);
    const Support core = first_variables(trial, 1 + seed % 4);
    const OutsideVariables outside(*trial.covariance, core, largest_of(trial.cardinality));
    const PairBound bound =
        pair_bound(trial.covariance->submatrix(core), trial.cardinality, outside, 0, kAlways);
    EXPECT_GE(bound.value, optimum - rounding_of(trial));
  }
}

TEST(PairSearch, TheMeanOfItsProofsIsABound) {
  constexpr int kSteps = 100;
  for (int seed = 0; seed < trial::tries(50); ++seed) {
    SCOPED_TRACE(seed);
    const DisjointCase trial = trial::random_disjoint_case(seed, kSizes);
    PairSearch search(trial.matrix, largest_of(trial.cardinality), std::ssize(trial.cardinality));
    const auto bound_by = [&](const PairProof& proof) {
      return pair_bound_at(trial.matrix, trial.cardinality, OutsideVariables(), proof);
    };
    Vector prices = Vector::Zero(trial.matrix.rows());
    for (int step = 0; step < 2 * kSteps; ++step) {
      if (step == kSteps) {
        search.begin_mean();
      }
      search.step();
      if (step >= kSteps) {
        prices += search.proof().prices / kSteps;
      }
    }
    EXPECT_EQ(search.steps_of_mean(), kSteps);
    EXPECT_LE((search.mean_proof().prices - prices).norm(), rounding_of(trial));
    EXPECT_GE(bound_by(search.mean_proof()), optimum_of(trial) - rounding_of(trial));
  }
}

TEST(PairBound, IsTightForSeparateBlocks) {
  // Two blocks of rank one that have nothing in common, of three variables each.
  Matrix matrix = Matrix::Zero(6, 6);
  matrix.topLeftCorner(3, 3).setConstant(1);
  matrix.bottomRightCorner(3, 3).setConstant(2);
  EXPECT_NEAR(pair_bound(matrix, {3, 3}, OutsideVariables(), 0, kAlways).value, 9, 0.01);
  const PairBound none = pair_bound(Matrix::Zero(2, 2), {1}, OutsideVariables(), 0, kAlways);
  EXPECT_EQ(none.proof.costs.size(), 0);
}

TEST(PairBound, AnInvalidProofGivesNoBound) {
  const Matrix matrix = Matrix::Identity(3, 3);
  const auto bound_by = [&](const PairProof& proof) {
    return pair_bound_at(matrix, {2}, OutsideVariables(), proof);
  };
  EXPECT_TRUE(std::isinf(bound_by({})));
  EXPECT_TRUE(std::isinf(bound_by({.costs = Matrix::Zero(2, 3), .prices = Vector::Zero(3)})));
  EXPECT_TRUE(std::isinf(bound_by({.costs = Matrix::Zero(3, 3), .prices = Vector::Zero(2)})));
  EXPECT_TRUE(std::isinf(
      bound_by({.costs = Matrix::Constant(3, 3, kNotMeasured), .prices = Vector::Zero(3)})));
  EXPECT_TRUE(std::isinf(
      bound_by({.costs = Matrix::Zero(3, 3), .prices = Vector::Constant(3, kNotMeasured)})));
  EXPECT_NEAR(bound_by({.costs = Matrix::Zero(3, 3), .prices = Vector::Zero(3)}), 1, 1e-9);
  for (const Matrix& factor :
       std::vector<Matrix>{Matrix::Zero(2, 1), Matrix::Constant(3, 1, kNotMeasured)}) {
    EXPECT_TRUE(std::isinf(bound_by(
        {.costs = Matrix::Zero(3, 3), .prices = Vector::Zero(3), .union_factor = factor})));
  }
}

TEST(PairBound, CostsThatOverflowGiveNoBound) {
  const DisjointCase trial = trial::random_disjoint_case(1, kSizes);
  const Support core = first_variables(trial, 3);
  const OutsideVariables outside(*trial.covariance, core, largest_of(trial.cardinality));
  const Index size = std::ssize(core);
  const PairProof huge{.costs = Matrix::Constant(size, size, 1e200), .prices = Vector::Zero(size)};
  EXPECT_TRUE(std::isinf(
      pair_bound_at(trial.covariance->submatrix(core), trial.cardinality, outside, huge)));
}

Matrix random_semidefinite(Index p, Random& random) {
  const Matrix data = trial::random_matrix(p + 2, p, random);
  const Matrix product = data.transpose() * data;
  return 0.5 * (product + product.transpose());
}

/// Returns the largest value found of orthonormal u, v whose supports satisfy the conditions: for
/// each pair of supports, u is the best on the first, and v the best on the second that is
/// orthogonal to u.
double value_of_shared(const Matrix& s, const PairConditions& conditions) {
  double best = 0;
  trial::for_each_support(s.rows(), conditions.k, [&](const Support& a) {
    trial::for_each_support(s.rows(), conditions.k, [&](const Support& b) {
      Vector counts = Vector::Zero(s.rows());
      counts(a).array() += 1;
      counts(b).array() += 1;
      if ((counts.array() < conditions.least.array()).any() ||
          (counts.array() > conditions.most.array()).any()) {
        return;
      }
      const SymmetricEigenpairs first = symmetric_eigenpairs(s(a, a));
      Vector u = Vector::Zero(s.rows());
      u(a) = first.vectors.col(conditions.k - 1);
      const Vector on_second = u(b);
      Matrix projection = Matrix::Identity(conditions.k, conditions.k);
      if (on_second.norm() > 1e-9) {
        projection -= on_second * on_second.transpose() / on_second.squaredNorm();
      }
      best =
          std::max(best, first.values[conditions.k - 1] +
                             symmetric_eigenvalues(projection * s(b, b) * projection).maxCoeff());
    });
  });
  return best;
}

/// Returns limits, narrowed at random, that two components on the first k variables satisfy.
PairConditions random_conditions(Index p, Index k, Random& random) {
  PairConditions conditions = PairConditions::shared({k, k}, p);
  for (Index i = 0; i < p; ++i) {
    const double kind = random.uniform();
    if (kind < 0.3) {
      conditions.most[i] = i < k ? 2 : 1;
    } else if (kind < 0.4 && i >= k) {
      conditions.most[i] = 0;
    } else if (kind < 0.6 && i < k) {
      conditions.least[i] = 1 + static_cast<double>(random.below(2));
    }
  }
  return conditions;
}

/// Expects that the bound of a proof, and of its part for a core extended to all variables, is not
/// below the value.
void expect_bounds(const Matrix& s, const PairConditions& conditions, const PairProof& proof,
                   const Support& core, double value) {
  EXPECT_GE(pair_bound_under(s, conditions, OutsideVariables(), proof), value);
  const PairProof extended = extended_proof(among(proof, core), core, conditions, s);
  EXPECT_GE(pair_bound_under(s, conditions, OutsideVariables(), extended), value);
}

TEST(PairBound, AnyCostsAndPricesBoundSupportsThatShare) {
  for (int seed = 0; seed < trial::tries(60); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed + 2000));
    const Index p = 4 + seed % 3;
    const Index k = 2 + seed % 2;
    const Matrix s = random_semidefinite(p, random);
    const double slack = 1e-9 * s.trace();
    const PairConditions conditions = random_conditions(p, k, random);
    const double value = value_of_shared(s, conditions);
    ASSERT_GT(value, 0);
    for (const double noise : {0.0, 0.3, 3.0}) {
      PairProof proof{.costs = s + noise * trial::random_matrix(p, p, random),
                      .prices = noise * trial::random_matrix(p, 1, random).col(0)};
      EXPECT_GE(pair_bound_under(s, conditions, OutsideVariables(), proof), value - slack);
      proof.union_factor = std::sqrt(noise) * trial::random_matrix(p, 1 + seed % 2, random);
      expect_bounds(s, conditions, proof, {0, p - 2, p - 1}, value - slack);
    }
    const OutsideVariables none;
    PairDescent descent(s, conditions, none, 0);
    descent.run(200, kAlways);
    EXPECT_GE(descent.best().value, value - slack);
    EXPECT_EQ(descent.best().value,
              pair_bound_under(s, conditions, OutsideVariables(), descent.best().proof));
    PairDescent other = descent;
    other.set_limits(PairConditions::shared({k, k}, p));
    other.run(200, kAlways);
    EXPECT_GE(other.best().value, value_of_shared(s, PairConditions::shared({k, k}, p)) - slack);
  }
}

/// Returns limits of a common support, narrowed at random, that the first k variables satisfy.
PairConditions random_common_conditions(Index r, Index k, Index p, Random& random) {
  PairConditions conditions = PairConditions::common(r, k, p);
  for (Index i = 0; i < p; ++i) {
    const double kind = random.uniform();
    if (kind < 0.3 && i < k) {
      conditions.least[i] = static_cast<double>(r);
    } else if (kind < 0.3) {
      conditions.most[i] = 0;
    }
  }
  return conditions;
}

TEST(PairBound, AnyCostsAndPricesBoundACommonSupport) {
  for (int seed = 0; seed < trial::tries(60); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed + 5000));
    const Index p = 5 + seed % 3;
    const Index r = 1 + seed % 3;
    const Index k = std::max<Index>(r, 2 + seed % 2);
    const Matrix s = random_semidefinite(p, random);
    const double slack = 1e-9 * s.trace();
    const PairConditions conditions = random_common_conditions(r, k, p, random);
    double value = 0;
    trial::for_each_support(p, k, [&](const Support& support) {
      Vector counts = Vector::Zero(p);
      counts(support).setConstant(static_cast<double>(r));
      if ((counts.array() >= conditions.least.array()).all() &&
          (counts.array() <= conditions.most.array()).all()) {
        value = std::max(value, symmetric_eigenvalues(s(support, support)).tail(r).sum());
      }
    });
    for (const double noise : {0.05, 0.5, 5.0}) {
      const PairProof proof{.costs = s + noise * trial::random_matrix(p, p, random),
                            .prices = noise * trial::random_matrix(p, 1, random).col(0),
                            .union_factor = std::sqrt(noise) * trial::random_matrix(p, 2, random)};
      expect_bounds(s, conditions, proof, {0, p - 3, p - 2, p - 1}, value - slack);
    }
    const OutsideVariables none;
    PairDescent descent(s, conditions, none, 0);
    descent.run(300, kAlways);
    EXPECT_GE(descent.best().value, value - slack);
    EXPECT_LE(descent.best().value, 1.3 * value);
  }
}

TEST(PairBound, LimitsThatNoSupportsSatisfyLeaveNoAnswer) {
  const Matrix matrix = Matrix::Identity(3, 3);
  const PairProof none{.costs = Matrix::Zero(3, 3), .prices = Vector::Zero(3)};
  PairConditions conditions = PairConditions::shared({1, 1}, 3);
  EXPECT_NEAR(pair_bound_under(matrix, conditions, OutsideVariables(), none), 2, 1e-9);
  conditions.least.setOnes();
  EXPECT_LT(pair_bound_under(matrix, conditions, OutsideVariables(), none), -1e300);
  conditions.least.setZero();
  conditions.most << 1, 0, 0;
  EXPECT_LT(pair_bound_under(matrix, conditions, OutsideVariables(), none), -1e300);
  // Three variables have no four orthonormal components.
  conditions = PairConditions::shared({2, 2, 2, 2}, 3);
  EXPECT_LT(pair_bound_under(matrix, conditions, OutsideVariables(), none), -1e300);
}

TEST(SumProjection, IsTheNearestPoint) {
  Random random(3);
  for (int draw = 0; draw < 500; ++draw) {
    const Vector v = trial::random_matrix(6, 1, random);
    const double least = static_cast<double>(random.below(3));
    const double most = least + static_cast<double>(random.below(2));
    Vector y = v;
    const double cut = project_on_sums(y, least, most);
    ASSERT_GE(y.minCoeff(), 0);
    ASSERT_GE(y.sum(), least - 1e-9);
    ASSERT_LE(y.sum(), most + 1e-9);
    if (most > 0) {
      EXPECT_NEAR((y - (v.array() - cut).max(0.0).matrix()).norm(), 0, 1e-9);
    }
    EXPECT_NEAR(std::max(cut, 0.0) * (most - y.sum()), 0, 1e-9);
    EXPECT_NEAR(std::min(cut, 0.0) * (least - y.sum()), 0, 1e-9);
  }
}

TEST(UnionProjection, IsTheNearestPoint) {
  Random random(4);
  const auto is_allowed = [](const Vector& d, double u, double least, double most) {
    return d.minCoeff() >= 0 && d.sum() >= least - 1e-9 && d.sum() <= most + 1e-9 &&
           u <= std::min(1.0, d.sum()) + 1e-9;
  };
  for (int draw = 0; draw < 500; ++draw) {
    const Vector v = trial::random_matrix(5, 1, random) * (draw % 2 == 0 ? 1 : 0.2);
    const double w = 2 * random.uniform();
    const auto least = static_cast<double>(random.below(3));
    const double most = least + static_cast<double>(random.below(3));
    Vector y = v;
    double u = w;
    const double price = project_on_union(y, u, least, most);
    ASSERT_TRUE(is_allowed(y, u, least, most));
    if (most > 0) {
      EXPECT_NEAR((y - (v.array() - price).max(0.0).matrix()).norm(), 0, 1e-9);
    }
    // No allowed point lies on the other side of the tangent plane.
    for (int other = 0; other < 50; ++other) {
      Vector z = trial::random_matrix(5, 1, random).cwiseAbs();
      z *= (least + (most - least) * random.uniform()) / z.sum();
      const double to = std::min(1.0, z.sum()) - (other % 2 == 0 ? 0 : random.uniform());
      ASSERT_TRUE(is_allowed(z, to, least, most));
      EXPECT_LE((v - y).dot(z - y) + (w - u) * (to - u), 1e-9);
    }
  }
}

TEST(MultipleProjection, IsTheNearestPoint) {
  Random random(9);
  for (int draw = 0; draw < 500; ++draw) {
    const Vector v = 2 * trial::random_matrix(5, 1, random);
    const double w = 2 * random.uniform() - 0.5;
    const auto r = 1 + static_cast<double>(random.below(3));
    const double least = draw % 3 == 0 ? 1 : 0;
    const double most = draw % 3 == 1 && draw % 2 == 0 ? 0 : 1;
    Vector y = v;
    double u = w;
    const double price = project_on_multiple(y, u, r, least, most);
    ASSERT_GE(y.minCoeff(), 0);
    ASSERT_NEAR(y.sum(), r * u, 1e-6);
    ASSERT_TRUE(least <= u && u <= most);
    EXPECT_NEAR((y - (v.array() - price).max(0.0).matrix()).norm(), 0, 1e-9);
    // No allowed point lies on the other side of the tangent plane.
    for (int other = 0; other < 50; ++other) {
      Vector z = trial::random_matrix(5, 1, random).cwiseAbs();
      const double to = least + (most - least) * random.uniform();
      z *= r * to / z.sum();
      EXPECT_LE((v - y).dot(z - y) + (w - u) * (to - u), 1e-6);
    }
  }
}

/// The cone holds the projection y of v. The difference v - y is orthogonal to y, and has no
/// positive product with any point of the cone.
TEST(PairProjection, IsTheNearestPoint) {
  Random random(1);
  for (int draw = 0; draw < 2000; ++draw) {
    const Vector v = trial::random_matrix(3, 1, random);
    double y = v[0];
    double a = v[1];
    double b = v[2];
    project_pair(y, a, b);
    ASSERT_GE(a, 0);
    ASSERT_GE(b, 0);
    ASSERT_LE(y * y, a * b + 1e-12);
    const auto across = [&](double y_of, double a_of, double b_of) {
      return 2 * (v[0] - y) * y_of + (v[1] - a) * a_of + (v[2] - b) * b_of;
    };
    EXPECT_NEAR(across(y, a, b), 0, 1e-12);
    const double root = std::exp(random.normal());
    EXPECT_LE(across(1, root, 1 / root), 1e-12);
    EXPECT_LE(across(-1, root, 1 / root), 1e-12);
  }
}

/// Checks that the projection y is in the cone, that v - y is orthogonal to y, and that v - y has
/// no positive product with any extreme ray.
void expect_nearest_row(RowProjection& projection, const Vector& v, Index i, Index k) {
  Vector y = v;
  projection.project(y, i);
  ASSERT_LE(y.maxCoeff(), y[i]);
  ASSERT_GE(y.minCoeff(), 0);
  ASSERT_LE(y.sum() - y[i], static_cast<double>(k - 1) * y[i] + 1e-5);
  EXPECT_NEAR((v - y).dot(y), 0, 1e-5);
  // The extreme rays: d_i and at most k - 1 others are one.
  Vector others = v - y;
  double most = others[i];
  others[i] = 0;
  std::sort(others.begin(), others.end(), std::greater<>());
  most += others.head(k - 1).cwiseMax(0.0).sum();
  EXPECT_LE(most, 1e-5);
}

TEST(RowProjection, IsTheNearestPoint) {
  constexpr Index kVariables = 7;
  for (int seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Index k = 1 + seed % 5;
    const Index i = seed % kVariables;
    Vector v = trial::random_matrix(kVariables, 1, random);
    v[i] *= seed % 3;
    RowProjection projection(k);
    expect_nearest_row(projection, v, i, k);
    // The projection begins with its last result, which may be near, or not.
    for (const double change : {0.01, 0.1, 1.0, 10.0}) {
      v += change * trial::random_matrix(kVariables, 1, random);
      expect_nearest_row(projection, v, i, k);
    }
  }
}

TEST(SimplexProjection, IsTheNearestPoint) {
  Random random(2);
  for (int draw = 0; draw < 500; ++draw) {
    const Vector v = trial::random_matrix(6, 1, random);
    Vector y = v;
    const double cut = project_on_simplex(y);
    ASSERT_GE(y.minCoeff(), 0);
    ASSERT_LE(y.sum(), 1 + 1e-9);
    EXPECT_NEAR((y - (v.array() - cut).max(0.0).matrix()).norm(), 0, 1e-9);
    EXPECT_NEAR(cut * (1 - y.sum()), 0, 1e-9);
  }
}

TEST(FantopeProjection, KeepsTheTraceAndTheEigenvaluesWithinLimits) {
  Random random(1);
  const Matrix noise = trial::random_matrix(40, 40, random);
  FantopeProjection projection(40, 3);
  const Matrix y = projection.project(noise + noise.transpose());
  const Vector values = symmetric_eigenvalues(y);
  EXPECT_NEAR(y.trace(), 3, 1e-9);
  EXPECT_GE(values.minCoeff(), -1e-9);
  EXPECT_LE(values.maxCoeff(), 1 + 1e-9);
}

}  // namespace
}  // namespace spca::pair_bound_test

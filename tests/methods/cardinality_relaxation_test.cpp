/// Tests the relaxation for a given cardinality: its formulas, its bounds against enumeration, the
/// variables that it settles, and the search and the elimination that are built on it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/measure/sample_folds.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/relaxation_tree.h"
#include "spca/methods/bounds/squares_tree.h"
#include "spca/methods/bounds/variable_elimination.h"
#include "spca/methods/relaxations/cardinality_relaxation.h"
#include "tests/solver_testing.h"

namespace spca::cardinality_relaxation_test {
namespace {

using namespace trial;

constexpr double kRelaxationRounding = 1e-9;

/// Columns of which the first `chosen` are in every support.
struct RandomProblem {
  Matrix columns;
  Index chosen = 0;
  Index to_choose = 1;

  explicit RandomProblem(Random& random, Index max_variables = 9) {
    const auto below = [&](Index n) {
      return static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
    };
    const Index p = 2 + below(max_variables - 1);
    columns = random_matrix(1 + below(p + 2), p, random);
    for (Index j = 0; j < p; ++j) {
      columns.col(j) *= std::exp(0.5 * random.normal());
    }
    if (below(4) == 0) {
      columns.col(p - 1) = columns.col(0);
    }
    chosen = below(p / 2 + 1);
    to_choose = 1 + below(p - chosen);
  }
  Index rows() const { return columns.rows(); }
  Index variables() const { return columns.cols(); }

  Matrix random_point(Random& random) const {
    const auto q = 1 + static_cast<Index>(random.below(static_cast<std::uint64_t>(rows())));
    return random_matrix(rows(), q, random).normalized();
  }

  /// Calls use(support, value) for every support that holds the chosen variables.
  template <class Use>
  void for_each(Use use) const {
    for_each_support(variables(), chosen + to_choose, [&](const Support& support) {
      for (Index i = 0; i < chosen; ++i) {
        if (support[static_cast<std::size_t>(i)] != i) {
          return;
        }
      }
      const Matrix part = columns(Eigen::all, support);
      use(support, symmetric_eigenvalues(part.transpose() * part).maxCoeff());
    });
  }
  double optimum() const {
    double best = 0;
    for_each([&](const Support&, double value) { best = std::max(best, value); });
    return best;
  }
};

double dual_bound(const CardinalityRelaxation& relaxation) {
  const Matrix dual = relaxation.dual_columns();
  return relaxation.cost() + symmetric_eigenvalues(dual * dual.transpose()).maxCoeff();
}

TEST(CardinalityRelaxation, GradientsAreThoseOfFiniteDifferences) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const RandomProblem problem(random, 14);
    const Matrix y = problem.random_point(random);
    CardinalityRelaxation relaxation(problem.columns, problem.chosen, problem.to_choose);
    constexpr double kFloor = 0.05;
    Matrix gradient;
    const double value = relaxation.evaluate(y, kFloor, &gradient);
    Matrix direction = random_matrix(y.rows(), y.cols(), random);
    direction -= direction.cwiseProduct(y).sum() * y;
    if (!(direction.norm() > 1e-8)) {
      continue;  // one dimension: the sphere has no tangent
    }
    direction.normalize();
    constexpr double kStep = 1e-5;
    const auto at = [&](double t) {
      CardinalityRelaxation other(problem.columns, problem.chosen, problem.to_choose);
      return other.evaluate((y + t * direction).normalized(), kFloor, nullptr);
    };
    EXPECT_NEAR((at(kStep) - at(-kStep)) / (2 * kStep), gradient.cwiseProduct(direction).sum(),
                1e-6 * value)
        << "seed " << seed;
  }
}

TEST(CardinalityRelaxation, ThePriceMakesTheValueLeast) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const RandomProblem problem(random, 12);
    const RelaxationPoint point{.y = problem.random_point(random), .floor = 0.03};
    CardinalityRelaxation relaxation(problem.columns, problem.chosen, problem.to_choose);
    const double value = relaxation.evaluate(point.y, point.floor, nullptr);
    const double price = relaxation.price();
    // X has the trace 1 + floor n. The value at another price is Tr HH'X + price m, with the dual
    // columns H.
    const Matrix x = point.y * point.y.transpose() +
                     point.floor * Matrix::Identity(problem.rows(), problem.rows());
    for (const double factor : {1.0, 0.9, 1.1, 0.5, 2.0}) {
      relaxation.set({.y = point.y, .floor = point.floor, .price = factor * price});
      const Matrix dual = relaxation.dual_columns();
      const double other = relaxation.cost() + (dual.transpose() * x * dual).trace();
      EXPECT_GE(other, value * (1 - kRelaxationRounding)) << "seed " << seed << " x " << factor;
      if (factor == 1) {
        EXPECT_NEAR(other, value, kRelaxationRounding * value) << "seed " << seed;
      }
    }
  }
}

TEST(CardinalityRelaxation, EveryDualColumnCoversItsTerm) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const RandomProblem problem(random);
    CardinalityRelaxation relaxation(problem.columns, problem.chosen, problem.to_choose);
    const double price = random.uniform() * 2;
    relaxation.set({.y = problem.random_point(random),
                    .floor = std::pow(10, -6 * random.uniform()),
                    .price = price});
    const Matrix dual = relaxation.dual_columns();
    EXPECT_TRUE(dual.leftCols(problem.chosen).isApprox(problem.columns.leftCols(problem.chosen)) ||
                problem.chosen == 0);
    for (Index i = problem.chosen; i < problem.variables(); ++i) {
      const auto a = problem.columns.col(i);
      const Matrix rest = dual.col(i) * dual.col(i).transpose() - a * a.transpose() +
                          price * Matrix::Identity(problem.rows(), problem.rows());
      EXPECT_GE(symmetric_eigenvalues(rest).minCoeff(),
                -kRelaxationRounding * (price + dual.col(i).squaredNorm()))
          << "seed " << seed << " variable " << i;
    }
  }
}

TEST(CardinalityRelaxation, NoBoundIsBelowTheOptimum) {
  int near = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const RandomProblem problem(random);
    const double optimum = problem.optimum();
    CardinalityRelaxation relaxation(problem.columns, problem.chosen, problem.to_choose);
    relaxation.set({.y = problem.random_point(random),
                    .floor = std::pow(10, -8 * random.uniform()),
                    .price = 3 * random.uniform()});
    EXPECT_GE(dual_bound(relaxation), optimum * (1 - kRelaxationRounding)) << "seed " << seed;
    relaxation.evaluate(problem.random_point(random), 1e-3, nullptr);
    EXPECT_GE(dual_bound(relaxation), optimum * (1 - kRelaxationRounding)) << "seed " << seed;
    near += dual_bound(relaxation) < 2 * optimum ? 1 : 0;
  }
  EXPECT_GT(near, 50);  // otherwise the test would be vacuous
}

TEST(CardinalityRelaxation, SettledVariablesAreSoInEveryBetterSupport) {
  int out = 0;
  int inside = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const RandomProblem problem(random);
    const double limit = problem.optimum() * (1 - 0.1 * random.uniform());
    CardinalityRelaxation relaxation(problem.columns, problem.chosen, problem.to_choose);
    relaxation.evaluate(problem.random_point(random), 1e-2, nullptr);
    const SettledVariables settled = settle_variables(relaxation, limit, 1);
    out += static_cast<int>(settled.out.size());
    inside += static_cast<int>(settled.inside.size());
    problem.for_each([&](const Support& support, double value) {
      if (!(value > limit * (1 + kRelaxationRounding))) {
        return;
      }
      EXPECT_GT(settled.bound, limit);
      for (const Index i : settled.out) {
        EXPECT_FALSE(std::binary_search(support.begin(), support.end(), problem.chosen + i))
            << "seed " << seed;
      }
      for (const Index i : settled.inside) {
        EXPECT_TRUE(std::binary_search(support.begin(), support.end(), problem.chosen + i))
            << "seed " << seed;
      }
    });
  }
  EXPECT_GT(out, 100);
  EXPECT_GT(inside, 20);
}

Support first_indices(Index k) {
  Support support(static_cast<std::size_t>(k));
  std::iota(support.begin(), support.end(), 0);
  return support;
}

TEST(RelaxationTree, FindsTheOptimumAndCertifiesItAtEveryStep) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const auto p = 3 + static_cast<Index>(random.below(7));
    const auto n = 1 + static_cast<Index>(random.below(static_cast<std::uint64_t>(2 * p)));
    const Matrix data = random_matrix(n, p, random);
    Matrix matrix = data.transpose() * data;
    if (seed % 3 == 1) {
      matrix = matrix.array().round();  // may be indefinite
      matrix = (matrix + matrix.transpose()).eval() / 2;
    }
    if (!(matrix.diagonal().maxCoeff() > 0)) {
      continue;
    }
    const Vector optima = optima_by_enumeration(matrix);
    for (Index k = 1; k < p; ++k) {
      SCOPED_TRACE(fmt::format("seed {} p {} k {}", seed, p, k));
      const double optimum = optima[k - 1];
      const double least = optimum * (1 - kRelaxationRounding);
      RelaxationTree tree(matrix, first_indices(k));
      tree.begin([] { return true; });
      for (int step = 0; step < 300 && !tree.is_finished(); ++step) {
        EXPECT_GE(tree.bound(), least);
        EXPECT_GE(tree.certificate()->bound(matrix), least);
        tree.advance(1);
      }
      EXPECT_GE(tree.bound(), least);
      EXPECT_GE(tree.certificate()->bound(matrix), least);
      if (seed % 3 != 1) {
        ASSERT_TRUE(tree.is_finished());
        EXPECT_NEAR(tree.value(), optimum, kRelaxationRounding * optimum);
        EXPECT_NEAR(tree.certificate()->bound(matrix), optimum, kRelaxationRounding * optimum);
      }
    }
  }
}

/// Has a few variables of large variance anywhere among many of small variance, so that in most
/// nodes few candidates are heavy (support_family.h).
TEST(RelaxationTree, FindsTheOptimumWhereMostCandidatesAreLight) {
  Random random(11);
  for (Index i = 0; i < 60; ++i) {
    const Index p = 16;
    const Index k = 2 + i % 3;
    SCOPED_TRACE(fmt::format("problem {} k {}", i, k));
    Matrix columns = random_matrix(4, p, random);
    const std::vector<Index> order = shuffled(p, random);
    for (Index j = 0; j < p; ++j) {
      columns.col(j) *= std::exp(-0.4 * static_cast<double>(order[static_cast<std::size_t>(j)]));
    }
    const Matrix matrix = columns.transpose() * columns;
    const double optimum = best_by_enumeration(*make_explicit_covariance(matrix), k).value;
    RelaxationTree tree(matrix, first_indices(k));
    tree.begin([] { return true; });
    for (int step = 0; step < 300 && !tree.is_finished(); ++step) {
      tree.advance(1);
    }
    ASSERT_TRUE(tree.is_finished());
    EXPECT_NEAR(tree.value(), optimum, kRelaxationRounding * optimum);
    EXPECT_GE(tree.certificate()->bound(matrix), optimum * (1 - kRelaxationRounding));
  }
}

TEST(RelaxationTree, ACertificateIsCheckedFromItsPoints) {
  Random random(3);
  const Matrix data = random_matrix(60, 50, random);
  const Matrix matrix = data.transpose() * data;
  RelaxationTree tree(matrix, first_indices(10));
  tree.begin([] { return true; });
  const double at_root = tree.bound();
  for (int step = 0; step < 3; ++step) {
    tree.advance(2);
  }
  ASSERT_FALSE(tree.is_finished());
  const auto certificate = tree.certificate();
  EXPECT_LT(tree.bound(), at_root);
  EXPECT_LE(certificate->bound(matrix), at_root * (1 + kRelaxationRounding));
  EXPECT_GT(certificate->bound(matrix), tree.value());
  // Points that certify less, or nothing, give a larger bound, never a wrong one.
  RelaxationCertificate forged = *certificate;
  for (RelaxationCertificate::Node& node : forged.nodes) {
    for (auto& point : node.points) {
      RelaxationPoint other = *point;
      other.y = random_matrix(other.y.rows(), 2, random);
      other.price *= 3;
      point = std::make_shared<const RelaxationPoint>(std::move(other));
    }
  }
  while (!tree.is_finished()) {
    tree.advance(2);
  }
  EXPECT_GE(forged.bound(matrix), tree.value() * (1 - kRelaxationRounding));
  forged.nodes.resize(1);
  forged.nodes[0] = {};
  EXPECT_EQ(forged.bound(matrix), std::numeric_limits<double>::infinity());
}

TEST(RelaxationTree, AnswerDoesNotDependOnThreads) {
  Random random(5);
  const Matrix data = random_matrix(45, 40, random);
  const Matrix matrix = data.transpose() * data;
  const auto run = [&](int threads) {
    auto tree = std::make_unique<RelaxationTree>(matrix, first_indices(8));
    tree->begin([] { return true; });
    while (!tree->is_finished()) {
      tree->advance(threads);
    }
    return tree;
  };
  const auto one = run(1);
  const auto several = run(3);
  EXPECT_EQ(several->support(), one->support());
  EXPECT_EQ(several->nodes(), one->nodes());
  EXPECT_GT(one->nodes(), 1);
  // The search by squares finds the same optimum.
  SquaresTree squares(matrix, first_indices(8));
  while (!squares.is_finished()) {
    squares.advance(1);
  }
  EXPECT_NEAR(squares.value(), one->value(), kRelaxationRounding * one->value());
}

TEST(EliminationByRelaxation, LeavesEveryBetterSupportAndFewOthers) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Random random(seed);
    constexpr Index kVariables = 200;
    constexpr Index kCardinality = 4;
    Matrix data = 0.5 * random_matrix(100, kVariables, random);
    data.colwise() += Vector(random_matrix(100, 1, random));
    for (Index j = 0; j < kVariables; ++j) {  // like words: few that vary much
      data.col(j) /= std::sqrt(1.0 + static_cast<double>(j));
    }
    const auto covariance = make_covariance(Matrix(data), {});
    const auto always = [] { return true; };
    const EliminationCertificate elimination =
        find_elimination(*covariance, kCardinality, first_indices(kCardinality), always, always);
    ASSERT_GT(elimination.considered, 0);
    // Starts from a value below the optimum, so that the variables of better supports must be left.
    const double value = 0.99 * elimination.value;
    const VariablesLeft remaining =
        eliminate_by_relaxation(*covariance, kCardinality, value, elimination, always);
    const Support& left = remaining.variables;
    EXPECT_GE(remaining.bound, elimination.value * (1 - kRelaxationRounding));
    EXPECT_LT(remaining.bound, 1.2 * elimination.value);
    EXPECT_LT(std::ssize(left), kVariables / 2);
    const Matrix matrix = covariance->submatrix(first_indices(kVariables));
    SquaresTree tree(matrix, elimination.support);
    while (!tree.is_finished()) {
      tree.advance(1);
    }
    EXPECT_NEAR(tree.value(), elimination.value, kRelaxationRounding * tree.value());
    for (const Index i : tree.support()) {
      EXPECT_TRUE(std::binary_search(left.begin(), left.end(), i)) << "seed " << seed;
    }
    // Every exchange of one variable for one that was ruled out stays at or below the value.
    for (Index j = 0; j < kVariables; ++j) {
      if (std::binary_search(left.begin(), left.end(), j)) {
        continue;
      }
      for (std::size_t t = 0; t < tree.support().size(); ++t) {
        Support support = tree.support();
        support[t] = j;
        std::sort(support.begin(), support.end());
        EXPECT_LE(symmetric_eigenvalues(principal_submatrix(matrix, support)).maxCoeff(),
                  value * (1 + kRelaxationRounding));
      }
    }
    // An S that is given, without its data, may be indefinite. Nothing is then eliminated.
    const auto given = make_explicit_covariance(matrix);
    EXPECT_EQ(find_elimination(*given, kCardinality, first_indices(kCardinality), always, always)
                  .considered,
              0);
    EXPECT_EQ(
        std::ssize(
            eliminate_by_relaxation(*given, kCardinality, value, elimination, always).variables),
        kVariables);
  }
}

}  // namespace
}  // namespace spca::cardinality_relaxation_test

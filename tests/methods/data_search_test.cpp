/// Compares the relaxation that only multiplies by the data with the relaxation on a dense matrix,
/// and with enumeration.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/methods/bounds/data_factor.h"
#include "spca/methods/bounds/relaxation_tree.h"
#include "spca/methods/bounds/squares_bound.h"
#include "spca/methods/bounds/variable_elimination.h"
#include "spca/methods/relaxations/support_family.h"
#include "spca/spectrum/eigenpairs.h"
#include "tests/solver_testing.h"

namespace spca::data_search_test {
namespace {

using namespace trial;

// An eigenvalue by products is bounded with its residual, which is at most 1e-5 of it.
constexpr double kResidual = 3e-5;
constexpr double kTolerance = 1e-9;

Support first_indices(Index k) {
  Support support(static_cast<std::size_t>(k));
  std::iota(support.begin(), support.end(), 0);
  return support;
}

/// Returns the covariance of centred data: sparse for odd seeds, without filling it in.
std::shared_ptr<const Covariance> some_data(Index n, Index p, std::uint64_t seed) {
  Random random(seed);
  Matrix data = random_matrix(n, p, random);
  if (seed % 2 == 0) {
    return make_covariance(std::move(data), {});
  }
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < n; ++i) {
      data(i, j) = random.uniform() < 0.5 ? data(i, j) : 0.0;
    }
  }
  return make_covariance(SparseRows(data.sparseView()), {});
}

std::unique_ptr<RelaxationTree> tree_by_products(const Covariance& covariance, Index k) {
  auto best = std::make_unique<BestByProducts>(covariance, k);
  best->consider(first_indices(k));
  return std::make_unique<RelaxationTree>(std::make_unique<DataFactor>(covariance, 0),
                                          std::move(best));
}

/// Returns the bound that the certificate of a tree on S proves, which exceeds the tree's own bound
/// by rounding at most.
double checked_certificate(const RelaxationTree& tree, const Matrix& s) {
  return tree.certificate()->bound(s);
}

TEST(DataFactor, GivesTheRelaxationOfTheFormedColumns) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto covariance = some_data(9, 14, seed);
    const DataFactor by_products(*covariance, 0);
    const DataFactor formed(*covariance, 1e6);
    SupportFamily family = SupportFamily::all(14);
    family.branch(11, true);
    family.branch(3, false);
    CardinalityRelaxation a = relaxation_on(by_products, family, 4);
    CardinalityRelaxation b = relaxation_on(formed, family, 4);
    Random random(seed + 50);
    const Matrix y = random_matrix(9, 3, random).normalized();
    Matrix gradient_a;
    Matrix gradient_b;
    EXPECT_NEAR(a.evaluate(y, 1e-2, &gradient_a), b.evaluate(y, 1e-2, &gradient_b), kTolerance);
    EXPECT_LT((gradient_a - gradient_b).norm(), kTolerance * gradient_b.norm());
    const double largest = settle_variables(b, 0, 2).bound;
    const SettledVariables settled = settle_variables(a, 0, 2);
    EXPECT_GE(settled.bound, largest * (1 - kTolerance));
    EXPECT_LE(settled.bound, largest * (1 + kResidual));
  }
}

TEST(DataFactor, VariablesSettledOutsideAreInNoBetterSupport) {
  Index settled_in_all = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Index p = 9;
    const auto covariance = some_data(7, p, seed);
    const Matrix matrix = covariance->submatrix(first_indices(p));
    const Index k = 3;
    const auto tree = tree_by_products(*covariance, k);
    tree->begin([] { return true; });
    // No support with a variable that the root rules out is better than the best known.
    const Support& left = tree->variables_left();
    settled_in_all += tree->is_finished() ? 0 : p - std::ssize(left);
    std::vector<bool> mask(static_cast<std::size_t>(p), false);
    std::fill(mask.begin(), mask.begin() + k, true);
    do {
      Support support;
      bool is_left = true;
      for (Index j = 0; j < p; ++j) {
        if (mask[static_cast<std::size_t>(j)]) {
          support.push_back(j);
          is_left = is_left && std::binary_search(left.begin(), left.end(), j);
        }
      }
      if (!is_left) {
        EXPECT_LE(best_on_support(*covariance, support).value, tree->value() * (1 + kTolerance));
      }
    } while (std::prev_permutation(mask.begin(), mask.end()));
  }
  EXPECT_GT(settled_in_all, 0);
}

TEST(DataSearch, FindsTheOptimumAndCertifiesItWhereverItIsStopped) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Index p = 10;
    const auto covariance = some_data(8, p, seed);
    const Vector optima = optima_by_enumeration(covariance->submatrix(first_indices(p)));
    const DataFactor factor(*covariance, 0);
    for (const Index k : {2, 5}) {
      SCOPED_TRACE(fmt::format("seed {} k {}", seed, k));
      const double least = optima[k - 1] * (1 - kTolerance);
      const auto tree = tree_by_products(*covariance, k);
      tree->begin([] { return true; });
      double before = std::numeric_limits<double>::infinity();
      for (int step = 0; step < 200 && !tree->is_finished(); ++step) {
        EXPECT_GE(tree->bound(), least);
        EXPECT_LE(tree->bound(), before) << "a bound never rises";
        before = tree->bound();
        const auto certificate = tree->certificate();
        // The certificate is checked in full, or stopped after `looks` looks at the clock.
        double stopped_before = std::numeric_limits<double>::infinity();
        for (const int looks : {0, 1, 3, 1'000'000}) {
          int left = looks;
          const double bound =
              certificate->bound(factor, best_on_support(*covariance, tree->support()).value,
                                 [&left] { return left-- > 0; });
          EXPECT_GE(bound, least) << looks;
          EXPECT_LE(bound, stopped_before) << looks;
          stopped_before = bound;
        }
        EXPECT_NEAR(stopped_before, tree->bound(), kResidual * tree->bound());
        tree->advance(1 + step % 2);
      }
      ASSERT_TRUE(tree->is_finished());
      EXPECT_NEAR(tree->value(), optima[k - 1], kTolerance * optima[k - 1]);
    }
  }
}

TEST(DataSearch, NodesThatAreStoppedKeepABound) {
  const auto covariance = some_data(8, 12, 1);
  const double optimum = optima_by_enumeration(covariance->submatrix(first_indices(12)))[3];
  for (int looks = 1; looks < 40; ++looks) {
    int left = looks;
    const auto keep_going = [&left] { return left-- > 0; };
    const auto tree = tree_by_products(*covariance, 4);
    tree->begin(keep_going);
    tree->advance(1, keep_going);
    EXPECT_GE(tree->bound(), optimum * (1 - kTolerance)) << looks;
  }
}

/// A node bounded after time is over would take an eigendecomposition. On a busy machine that may
/// take longer than the time left until the harness kills the solve.
TEST(RelaxationTree, NoNodeIsBoundedOnceTimeIsOver) {
  const Matrix s = some_data(8, 12, 1)->submatrix(first_indices(12));
  const double optimum = optima_by_enumeration(s)[3];
  RelaxationTree tree(s, first_indices(4));
  tree.begin([] { return true; });
  ASSERT_FALSE(tree.is_finished());
  for (int round = 0; round < 3; ++round) {
    const double before = tree.work();
    tree.advance(1, [] { return false; });
    EXPECT_EQ(tree.work(), before);
    EXPECT_GE(tree.bound(), optimum * (1 - kTolerance));
    EXPECT_GE(checked_certificate(tree, s), optimum * (1 - kTolerance));
  }
  while (!tree.is_finished()) {
    tree.advance(1);
  }
  EXPECT_NEAR(tree.value(), optimum, kTolerance * optimum);
}

/// If S has less than full rank or negative eigenvalues, the residual of the factor is the excess.
TEST(DataFactor, OfAGivenCovarianceBoundsItsResidual) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Index p = 10;
    Matrix s = some_data(6, p, seed)->submatrix(first_indices(p));
    s.diagonal().array() -= seed % 2 == 0 ? 0.0 : 1e-8 * s.diagonal().maxCoeff();
    const auto covariance = make_explicit_covariance(s);
    const auto factor = factor_beyond(*covariance, 1e6, [] { return true; });
    ASSERT_NE(factor, nullptr);
    EXPECT_LE(factor->dimension(), p);
    for_each_support(p, 3, [&](const Support& support) {
      const double value = best_on_support(*covariance, support).value;
      EXPECT_LE(value, factor->unit() * (largest_variance_on(*factor, support) + factor->excess()) *
                           (1 + kTolerance));
    });
    int looks = 3;
    EXPECT_EQ(factor_beyond(*covariance, 1e6, [&looks] { return looks-- > 0; }), nullptr);
  }
}

TEST(SquaresBound, IsNoLessThanTheOptimumAndKnownOnceAllColumnsWereLookedAt) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Index p = 11;
    const auto covariance = some_data(6 + static_cast<Index>(seed), p, seed);
    const Vector optima = optima_by_enumeration(covariance->submatrix(first_indices(p)));
    for (Index k = 1; k <= p; ++k) {
      SquaresBound squares(*covariance, first_indices(k));
      EXPECT_EQ(squares.bound(), std::numeric_limits<double>::infinity());
      squares.advance(1);
      ASSERT_TRUE(squares.is_complete());
      EXPECT_GE(squares.bound(), optima[k - 1]);
      if (k == 1) {
        EXPECT_NEAR(squares.bound(), optima[0], kTolerance * optima[0]);
      }
    }
  }
}

}  // namespace
}  // namespace spca::data_search_test

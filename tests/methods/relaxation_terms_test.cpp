/// Compares the terms of both relaxations with their definitions, tests that the columns of H cover
/// them at any point, and the order of OpenNodes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "spca/dense/dense_decompositions.h"
#include "spca/methods/bounds/open_nodes.h"
#include "spca/methods/relaxations/relaxation_terms.h"
#include "tests/solver_testing.h"

namespace spca::relaxation_terms_test {
namespace {

using namespace trial;

// Exceeds the relative rounding of eigenvalues of matrices of at most seven rows.
constexpr double kTermRounding = 1e-9;

/// Columns of which the first `chosen` are chosen; one of the others is zero and two are equal.
struct TermsProblem {
  Matrix columns;
  Index chosen;
  Matrix y;

  explicit TermsProblem(std::uint64_t seed) : chosen(static_cast<Index>(seed % 3)) {
    Random random(seed);
    const auto n = static_cast<Index>(2 + random.below(6));
    columns = random_matrix(n, chosen + 6, random);
    columns.col(chosen + 1).setZero();
    columns.col(chosen + 2) = columns.col(chosen + 3);
    y = random_matrix(n, 1 + static_cast<Index>(random.below(static_cast<std::uint64_t>(n))),
                      random);
  }
  Index rows() const { return columns.rows(); }
  Matrix x(double floor) const {
    return y * y.transpose() + floor * y.squaredNorm() * Matrix::Identity(rows(), rows());
  }
};

TEST(RelaxationTerms, AreTheEigenvaluesOfTheirDefinition) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const TermsProblem problem(seed);
    for (const double floor : {0.0, 1e-7, 0.05}) {
      const Matrix x = problem.x(floor);
      const SymmetricEigenpairs pairs = symmetric_eigenpairs(x);
      const Matrix root = pairs.vectors * pairs.values.cwiseMax(0.0).cwiseSqrt().asDiagonal() *
                          pairs.vectors.transpose();
      RelaxationTerms terms(std::make_shared<DenseColumns>(problem.columns), problem.chosen);
      terms.move_to(problem.y, floor);
      for (const double price : {0.0, 0.2, 1.0, 4.0}) {
        terms.solve(price, RelaxationTerms::Start::kZero);
        double expected = 0;
        for (Index i = 0; i < problem.columns.cols(); ++i) {
          const Vector a = problem.columns.col(i);
          const double paid = i < problem.chosen ? 0 : price;
          const Matrix term = root * (a * a.transpose()) * root - paid * x;
          expected += i < problem.chosen ? a.dot(x * a)
                                         : std::max(symmetric_eigenvalues(term).maxCoeff(), 0.0);
        }
        EXPECT_NEAR(terms.value(0), expected, kTermRounding * (1 + expected))
            << "seed " << seed << " floor " << floor << " price " << price;
        if (floor > 0) {
          const Matrix dual = terms.dual_columns();
          EXPECT_NEAR((dual.transpose() * x * dual).trace(), expected,
                      kTermRounding * (1 + expected))
              << "seed " << seed << " floor " << floor << " price " << price;
        }
      }
    }
  }
}

TEST(RelaxationTerms, EveryColumnOfHCoversItsTermAtAnyFloorAndPrice) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const TermsProblem problem(seed);
    const Matrix identity = Matrix::Identity(problem.rows(), problem.rows());
    // The last price is the squared length of a column, at which its term vanishes.
    const double last = problem.columns.col(problem.chosen).squaredNorm();
    for (const double floor : {0.0, 1e-7, 0.05}) {
      for (const double price : {0.0, 0.2, 1.0, last}) {
        RelaxationTerms terms(std::make_shared<DenseColumns>(problem.columns), problem.chosen);
        terms.move_to(problem.y, floor);
        terms.solve(price, RelaxationTerms::Start::kZero);
        const Matrix dual = terms.dual_columns();
        ASSERT_TRUE(dual.allFinite()) << "seed " << seed << " floor " << floor << " " << price;
        for (Index i = 0; i < dual.cols(); ++i) {
          const auto a = problem.columns.col(i);
          const auto h = dual.col(i);
          const double paid = i < problem.chosen ? 0 : price;
          const Matrix rest = h * h.transpose() - a * a.transpose() + paid * identity;
          EXPECT_GE(symmetric_eigenvalues(rest).minCoeff(),
                    -kTermRounding * (1 + paid + h.squaredNorm()))
              << "seed " << seed << " floor " << floor << " price " << price << " column " << i;
        }
      }
    }
  }
}

TEST(RelaxationTerms, SharesAreTheFallOfTheTermsWithThePrice) {
  constexpr double kStep = 1e-6;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const TermsProblem problem(seed);
    RelaxationTerms terms(std::make_shared<DenseColumns>(problem.columns), problem.chosen);
    terms.move_to(problem.y, 0.05);
    const auto at = [&](double price) {
      terms.solve(price, RelaxationTerms::Start::kZero);
      return terms.value(0);
    };
    constexpr double kPrice = 0.3;
    const double slope = (at(kPrice - kStep) - at(kPrice + kStep)) / (2 * kStep);
    terms.solve(kPrice, RelaxationTerms::Start::kZero);
    const double scale = problem.y.squaredNorm();
    EXPECT_NEAR(terms.shares().sum(), slope, 1e-6 * scale) << "seed " << seed;
    EXPECT_GE(terms.shares().minCoeff(), 0);
    EXPECT_GE(terms.share_decrease(), 0);
  }
}

struct BoundedNode {
  double bound;
  int name;
};

TEST(OpenNodes, ComeByBoundAndThenByWhenTheyCameIn) {
  OpenNodes<BoundedNode> open;
  for (const BoundedNode& node : {BoundedNode{2, 0}, {5, 1}, {2, 2}, {5, 3}, {1, 4}}) {
    open.push(std::make_unique<BoundedNode>(node));
  }
  EXPECT_EQ(open.size(), 5U);
  EXPECT_EQ(open.largest_bound(), 5);
  EXPECT_EQ(open.pop_largest()->name, 1);
  EXPECT_EQ(open.pop_smallest()->name, 4);
  open.drop_up_to(2);  // a node whose bound is at most the best value holds nothing better
  EXPECT_EQ(open.pop_largest()->name, 3);
  EXPECT_TRUE(open.empty());
}

}  // namespace
}  // namespace spca::relaxation_terms_test

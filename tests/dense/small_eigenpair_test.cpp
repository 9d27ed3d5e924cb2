#include "spca/dense/small_eigenpair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "spca/base/random.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"

namespace spca::small_eigenpair_test {
namespace {

/// Returns a matrix of full or low rank, diagonal, with a zero row, with equal eigenvalues, or with
/// negative ones, of large or small entries.
Matrix drawn_matrix(Random& random, Index p) {
  const Index kind = random.below(6);
  const Index rank = kind == 1 ? 1 + random.below(2) : p;
  Matrix root(p, rank);
  for (Index j = 0; j < rank; ++j) {
    for (Index i = 0; i < p; ++i) {
      root(i, j) = random.normal();
    }
  }
  Matrix matrix = product_transposed(root, root);
  if (kind == 2) {
    matrix = Matrix(matrix.diagonal().asDiagonal());
  } else if (kind == 3) {
    const Index zero = random.below(p);
    matrix.row(zero).setZero();
    matrix.col(zero).setZero();
  } else if (kind == 4) {
    matrix = Matrix::Identity(p, p) * random.normal();
  } else if (kind == 5) {
    matrix -= 2.0 * static_cast<double>(p) * Matrix::Identity(p, p);
  }
  return matrix * std::pow(10.0, static_cast<double>(random.below(13)) - 6);
}

Support drawn_support(Random& random, Index p) {
  Support support(static_cast<std::size_t>(p));
  std::iota(support.begin(), support.end(), Index{0});
  while (std::ssize(support) > 1 && random.below(3) > 0) {
    support.erase(support.begin() + random.below(std::ssize(support)));
  }
  return support;
}

TEST(SmallEigenpair, IsThatOfTheFullDecomposition) {
  Random random(1);
  int found = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const Index p = 1 + random.below(20);
    const Matrix matrix = drawn_matrix(random, p);
    const Support support = drawn_support(random, p);
    const Matrix piece = selected(matrix, support, support);
    const SymmetricEigenpairs all = symmetric_eigenpairs(piece);
    const Index k = std::ssize(support);
    const double largest = all.values[k - 1];
    const double rounding = 1e-13 * (piece.norm() + 1e-300);
    EXPECT_NEAR(small_leading_eigenvalue(matrix, support), largest, rounding);
    const double below = k > 1 ? all.values[k - 2] : largest - 1;
    SmallEigenpair pair;
    // One eigenvalue exceeds a level between the largest two; two exceed a level below the second.
    const bool is_alone = small_eigenpair_alone(matrix, support, (largest + below) / 2, pair);
    if (is_alone) {
      ++found;
      EXPECT_NEAR(pair.value, largest, rounding);
      const Vector v = Eigen::Map<const Vector>(pair.vector.data(), k);
      EXPECT_NEAR(v.norm(), 1, 1e-13);
      EXPECT_LE((piece * v - largest * v).norm(), 10 * rounding);
    }
    if (k > 1 && largest - below > 1e3 * rounding) {
      EXPECT_FALSE(small_eigenpair_alone(matrix, support, below - rounding, pair));
      EXPECT_EQ(is_alone, k <= static_cast<Index>(kMostSmallVariables));
    }
  }
  EXPECT_GT(found, 2000);
}

TEST(SmallEigenpair, IsNeverBelowARayleighQuotient) {
  Random random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const Index p = 2 + random.below(15);
    const Matrix matrix = drawn_matrix(random, p);
    Support all(static_cast<std::size_t>(p));
    std::iota(all.begin(), all.end(), Index{0});
    const double largest = small_leading_eigenvalue(matrix, all);
    for (int direction = 0; direction < 20; ++direction) {
      Vector u(p);
      for (Index i = 0; i < p; ++i) {
        u[i] = random.normal();
      }
      u.normalize();
      EXPECT_LE(u.dot(matrix * u), largest + 1e-13 * matrix.norm());
    }
  }
}

}  // namespace
}  // namespace spca::small_eigenpair_test

/// What large data alone have: eigenpairs by a correction from the variables of largest variance,
/// submatrices by rows, measures of dense loadings by blocks.

#include "spca/algebra/heavy_variables.h"

#include <gtest/gtest.h>

#include "spca/algebra/deflated_covariance.h"
#include "spca/algebra/eigenpairs.h"
#include "spca/algebra/held_submatrix.h"
#include "spca/algebra/joint_loadings.h"
#include "spca/algebra/sparsify.h"
#include "spca/base/parallel.h"
#include "tests/large_corpus.h"

namespace spca::heavy_variables_test {
namespace {

void expect_pairs(const Covariance& s, const Eigenpairs& pairs, double tolerance) {
  Matrix residuals;
  s.multiply_block(pairs.vectors, residuals);
  residuals -= pairs.vectors * pairs.values.asDiagonal();
  EXPECT_LE(residuals.norm(), tolerance * pairs.values[0]);
  const Index count = pairs.values.size();
  EXPECT_LE((pairs.vectors.transpose() * pairs.vectors - Matrix::Identity(count, count)).norm(),
            1e-12);
}

TEST(HeavyVariables, AreThoseOfLargestVarianceBeforeDeflations) {
  const auto corpus = trial::large_corpus(1);
  ASSERT_TRUE(is_large(*corpus));
  const Support heavy = heavy_variables(*corpus);
  EXPECT_EQ(heavy, top_k(corpus->diagonal(), kHeavyVariables));
  auto left = DeflatedCovariance::extend(corpus);
  left->remove({heavy[0], heavy[7]});
  Support expected = heavy;
  std::erase(expected, heavy[0]);
  std::erase(expected, heavy[7]);
  EXPECT_EQ(heavy_variables(*left), expected);
  EXPECT_TRUE(heavy_variables(*corpus, 4000).empty()) << "half of all";
  EXPECT_TRUE(heavy_variables(trial::WithoutSamples(corpus)).empty());
}

TEST(HeavyVariables, GiveTheSameEigenpairsInFewerProducts) {
  const auto corpus = trial::large_corpus(2);
  const trial::WithoutSamples plain(corpus);
  for (const Index count : {1, 3, 8}) {
    SCOPED_TRACE(count);
    const std::uint64_t begin = corpus->products();
    const Eigenpairs found = leading_eigenpairs(*corpus, count);
    const std::uint64_t products = corpus->products() - begin;
    const std::uint64_t begin_plain = plain.products();
    const Eigenpairs expected = leading_eigenpairs(plain, count);
    EXPECT_LT(4 * products, 3 * (plain.products() - begin_plain));
    EXPECT_LE((found.values - expected.values).norm(), 1e-11 * expected.values[0]);
    expect_pairs(*corpus, found, 4e-12);
    EXPECT_LE((leading_eigenvalues(*corpus, count) - expected.values).norm(),
              1e-12 * expected.values[0]);
    const Eigenpairs near = leading_eigenpairs(*corpus, count, Exact::kNearly);
    expect_pairs(*corpus, near, 4 * kNearResidual);
  }
}

/// The leading eigenvector has none of the heavy variables: 60 words that always occur together.
TEST(HeavyVariables, HideNoEigenvectorOfTheOthers) {
  constexpr int kDocuments = 30'000, kWords = 8000, kHeavy = 300, kTogether = 60;
  Random random(3);
  SparseRows data(kDocuments, kWords);
  data.reserve(Eigen::VectorXi::Constant(kDocuments, 80));
  for (int i = 0; i < kDocuments; ++i) {
    // The two kinds of words are never in one document.
    if (i < kDocuments / 10 * 9) {
      data.insert(i, i % kHeavy) = i % kHeavy < 100 ? 40 : 20;
    } else {
      for (int j = 0; j < kTogether; ++j) {
        data.insert(i, 5000 + j) = 1;
      }
    }
    data.insert(i, 6000 + static_cast<int>(random.below(2000))) = 1;
  }
  data.makeCompressed();
  const auto corpus = make_covariance(data.markAsRValue(), {.centered = false});
  const Support heavy = heavy_variables(*corpus);
  const double together = 0.1 * kTogether;
  ASSERT_EQ(std::ssize(heavy), kHeavyVariables);
  EXPECT_LT(heavy.back(), kHeavy);
  ASSERT_GT(together, corpus->diagonal().maxCoeff());
  const Eigenpairs found = leading_eigenpairs(*corpus, 2);
  EXPECT_NEAR(found.values[0], together, 0.01);
  EXPECT_NEAR(leading_eigenvalues(*corpus, 1)[0], found.values[0], 1e-9);
}

TEST(SparseGram, IsTheSameByRowsAndByColumns) {
  const auto corpus = trial::large_corpus(4);
  const Support support = heavy_variables(*corpus);
  HeldSubmatrix held(*corpus);
  const Matrix one = corpus->submatrix(support);
  ASSERT_TRUE(held.find(support).has_value()) << "went by rows";
  const HeldSubmatrix nothing(*corpus);
  for (Index j = 0; j < kHeavyVariables; j += 17) {
    for (Index i = 0; i < j; i += 5) {
      // Two have so few entries that they go by columns.
      const Matrix two = corpus->submatrix(
          {support[static_cast<std::size_t>(i)], support[static_cast<std::size_t>(j)]});
      EXPECT_EQ(one(i, j), two(0, 1));
      EXPECT_EQ(one(j, i), two(0, 1));
      EXPECT_EQ(one(j, j), two(1, 1));
    }
  }
  for (const int threads : {2, 3, 5}) {
    const ThreadAllowance allowance(threads);
    EXPECT_EQ(corpus->submatrix(support), one) << threads;
  }
}

TEST(HeldSubmatrix, HasThePartsOfWhatIsKeptAndEndsWithItsBlock) {
  const auto corpus = trial::large_corpus(5);
  const auto other = trial::large_corpus(6);
  const Support support = heavy_variables(*corpus);
  const Support part = {support[3], support[40], support[255]};
  const Matrix expected = corpus->submatrix(part);
  {
    HeldSubmatrix held(*corpus);
    EXPECT_EQ(HeldSubmatrix::of(*corpus), &held);
    EXPECT_EQ(HeldSubmatrix::of(*other), nullptr);
    EXPECT_FALSE(held.find(part).has_value());
    corpus->submatrix(support);
    ASSERT_TRUE(held.find(part).has_value());
    EXPECT_EQ(*held.find(part), expected);
    EXPECT_EQ(corpus->submatrix(part), expected);
    EXPECT_FALSE(held.find({support[3], 7999}).has_value());
    {
      const HeldSubmatrix inner(*other);
      EXPECT_EQ(HeldSubmatrix::of(*corpus), nullptr);
    }
    EXPECT_EQ(HeldSubmatrix::of(*corpus), &held);
  }
  EXPECT_EQ(HeldSubmatrix::of(*corpus), nullptr);
}

TEST(JointLoadings, OfDenseLoadingsOfLargeDataAreThoseOfEach) {
  const auto corpus = trial::large_corpus(7);
  Random random(8);
  std::vector<Component> components;
  for (int j = 0; j < 3; ++j) {
    const Vector v =
        Vector::NullaryExpr(corpus->variables(), [&](Index) { return random.uniform() - 0.5; });
    components.push_back(normalized(from_dense(v)));
  }
  const Matrix together = variance_matrix(*corpus, components);
  for (Index j = 0; j < 3; ++j) {
    const Component& component = components[static_cast<std::size_t>(j)];
    Vector product;
    corpus->multiply(component, product);
    for (Index i = 0; i < 3; ++i) {
      EXPECT_NEAR(together(i, j), sparse_dot(components[static_cast<std::size_t>(i)], product),
                  1e-12 * together(j, j));
    }
    EXPECT_NEAR(corpus->quadratic_form(component), together(j, j), 1e-12 * together(j, j));
  }
}

}  // namespace
}  // namespace spca::heavy_variables_test

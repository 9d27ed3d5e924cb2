/// Tests of methods that only large data use: eigenpairs by a correction from the variables of
/// largest variance, submatrices by rows, measures of dense loadings by blocks.

#include "spca/spectrum/heavy_variables.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_sparse.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "spca/base/parallel.h"
#include "spca/covariance/deflated_covariance.h"
#include "spca/covariance/held_submatrix.h"
#include "spca/dense/sparsify.h"
#include "spca/spectrum/eigen_memory.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/joint_loadings.h"
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
  EXPECT_TRUE(heavy_variables(*corpus, 4000).empty()) << "more than one in 16";
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

/// Passes every request to another S, and stores the number of columns of each product with a
/// block.
class WithPasses final : public Covariance {
 public:
  explicit WithPasses(std::shared_ptr<const Covariance> base) : base_(std::move(base)) {}
  const std::vector<Index>& passes() const { return passes_; }
  Index variables() const override { return base_->variables(); }
  Index samples() const override { return base_->samples(); }
  Matrix submatrix(const Support& support) const override { return base_->submatrix(support); }
  Matrix columns(const Support& support) const override { return base_->columns(support); }
  const Vector& diagonal() const override { return base_->diagonal(); }

 protected:
  void do_multiply(const Vector& v, Vector& out) const override {
    multiply_uncounted(*base_, v, out);
  }
  void do_multiply(const Component& v, Vector& out) const override {
    multiply_uncounted(*base_, v, out);
  }
  void do_multiply_block(const Matrix& v, Matrix& out) const override {
    passes_.push_back(v.cols());
    multiply_uncounted(*base_, v, out);
  }

 private:
  std::shared_ptr<const Covariance> base_;
  mutable std::vector<Index> passes_;
};

/// The first four pairs of S and of each of eleven deflated S, with the passes of each.
struct Chain {
  std::vector<Eigenpairs> pairs;
  std::vector<std::vector<Index>> passes;
  std::vector<std::shared_ptr<const Covariance>> left;
};

/// Computes the chain. If `remembers`, each step starts from the pairs found before, otherwise
/// anew. Each deflation removes the ten variables of largest magnitude in the first pair.
Chain chain_of(const std::shared_ptr<const Covariance>& corpus, bool remembers) {
  const auto counted = std::make_shared<WithPasses>(corpus);
  std::optional<EigenMemory> memory;
  if (remembers) {
    memory.emplace(*counted);
  }
  Chain chain;
  std::shared_ptr<const Covariance> left = counted;
  for (int component = 0; component < 12; ++component) {
    const std::size_t before = counted->passes().size();
    chain.pairs.push_back(leading_eigenpairs(*left, 4, Exact::kNearly, Copies::kAny));
    chain.passes.emplace_back(counted->passes().begin() + static_cast<std::ptrdiff_t>(before),
                              counted->passes().end());
    chain.left.push_back(left);
    auto next = DeflatedCovariance::extend(left);
    next->remove(top_k(chain.pairs.back().vectors.col(0), 10));
    left = std::move(next);
  }
  return chain;
}

constexpr double kRounding = 1e-12;  // of sums over thousands of numbers
/// A near solve also ends when its values are exact to 1e-15 lambda_1. Their error is the square of
/// this residual, over the gap to the next value, which is at most lambda_1.
constexpr double kLargestNear = 3.2e-8;

/// When no further group of words is left, the next solve needs pairs that no earlier solve has
/// sought.
TEST(HeavyVariables, FollowDeflationsInFullBlocksAndFewerPassesThanAnew) {
  const auto corpus = trial::large_corpus(9);
  const Chain found = chain_of(corpus, true);
  const Chain anew = chain_of(corpus, false);
  std::size_t passes = 0, passes_anew = 0;
  for (std::size_t c = 0; c < found.pairs.size(); ++c) {
    SCOPED_TRACE(c);
    EXPECT_LE(found.passes[c].size(), anew.passes[c].size());
    passes += found.passes[c].size();
    passes_anew += anew.passes[c].size();
    for (const Index columns : found.passes[c]) {
      EXPECT_EQ(columns, 4);
    }
    const double largest = anew.pairs[c].values[0];
    expect_pairs(*found.left[c], found.pairs[c], found.pairs[c].residual / largest + kRounding);
    EXPECT_LE(found.pairs[c].residual, kLargestNear * largest);
    EXPECT_LE((found.pairs[c].values - anew.pairs[c].values).norm(), kRounding * largest);
  }
  EXPECT_LT(3 * passes, 2 * passes_anew);
}

TEST(HeavyVariables, FollowDeflationsToTheSameBytesOnAnyNumberOfThreads) {
  const auto corpus = trial::large_corpus(10);
  const Chain one = chain_of(corpus, true);
  const ThreadAllowance allowance(2);
  const Chain two = chain_of(corpus, true);
  for (std::size_t c = 0; c < one.pairs.size(); ++c) {
    EXPECT_EQ(one.pairs[c].values, two.pairs[c].values) << c;
    EXPECT_EQ(one.pairs[c].vectors, two.pairs[c].vectors) << c;
  }
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
      // The submatrix of two variables has few enough entries to go by columns.
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

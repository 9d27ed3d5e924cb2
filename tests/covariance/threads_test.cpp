/// Tests that products with S, and results computed from them, are the same bytes on any number of
/// threads. The sizes are large enough that several threads are used.

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>

#include "spca/base/parallel.h"
#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/covariance/deflated_covariance.h"
#include "spca/covariance/detail/block_pass.h"
#include "spca/covariance/detail/sparse_passes.h"
#include "spca/covariance/genotypes.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/sparsify.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::threads_test {
namespace {

constexpr Index kVariables = 2100;

Matrix generic(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  return Matrix::NullaryExpr(rows, columns, [&] { return random.uniform() - 0.5; });
}

/// Two variables have most of the variance, so that two eigenpairs take few steps.
double weight(Index variable) { return variable == 0 ? 60 : variable == 1 ? 40 : 1; }

std::shared_ptr<const Covariance> dense(bool centered) {
  Matrix data = generic(1003, kVariables, 1);
  data.col(0) *= weight(0);
  data.col(1) *= weight(1);
  return make_covariance(std::move(data), {.centered = centered});
}

/// Rows of very different length, some of them empty.
SparseRows sparse_rows() {
  Random random(2);
  SparseRows data(3001, kVariables);
  for (Index i = 0; i < data.rows(); ++i) {
    data.startVec(i);
    const double share = i % 7 == 3 ? 0 : 0.6 * random.uniform();
    for (Index j = 0; j < kVariables; ++j) {
      if (random.uniform() < share) {
        data.insertBack(i, j) = weight(j) * (random.uniform() - 0.2);
      }
    }
  }
  data.finalize();
  return data;
}

std::shared_ptr<const Covariance> sparse(bool centered) {
  return make_covariance(sparse_rows(), {.centered = centered});
}

std::shared_ptr<const Covariance> genotypes(bool) {
  Genotypes genotypes;
  genotypes.samples = 2003;
  genotypes.variants = kVariables;
  const auto size = static_cast<std::size_t>(genotypes.variant_bytes() * genotypes.variants);
  const auto bytes = std::make_shared<std::vector<std::uint8_t>>(size);
  Random random(3);
  for (std::uint8_t& byte : *bytes) {
    byte = static_cast<std::uint8_t>(random.below(256));
  }
  genotypes.bytes = bytes->data();
  genotypes.memory = bytes;
  genotypes.counts = count_genotypes(genotypes);
  return make_covariance(std::move(genotypes), Scale::kSamples);
}

std::shared_ptr<const Covariance> deflated(bool centered) {
  const auto result = DeflatedCovariance::extend(sparse(centered));
  result->remove({3, 17, 99});
  result->project({.support = {5, 6}, .values = Vector::Constant(2, std::sqrt(0.5))});
  return result;
}

void expect_same(const Matrix& alone, const Matrix& together, const char* what) {
  ASSERT_EQ(alone.rows(), together.rows()) << what;
  ASSERT_EQ(alone.cols(), together.cols()) << what;
  EXPECT_EQ(std::memcmp(alone.data(), together.data(),
                        sizeof(double) * static_cast<std::size_t>(alone.size())),
            0)
      << what;
}

/// Returns the results of the functions of S that read all of the data.
std::vector<std::pair<const char*, Matrix>> products(const Covariance& s) {
  std::vector<std::pair<const char*, Matrix>> results;
  const Matrix block = generic(kVariables, 6, 4);
  Component few{.support = {}, .values = generic(40, 1, 5)};
  for (Index j = 0; j < 40; ++j) {
    few.support.push_back(50 * j);
  }
  Matrix product;
  s.multiply_block(block, product);
  results.emplace_back("S V", product);
  Vector vector;
  s.multiply(Vector(block.col(0)), vector);
  results.emplace_back("S v", vector);
  s.multiply(few, vector);
  results.emplace_back("S v of a sparse v", vector);
  results.emplace_back("columns", s.columns({0, 7, kVariables - 1}));
  results.emplace_back("X'u", s.transpose_product(generic(s.samples(), 1, 6)));
  if (dynamic_cast<const DeflatedCovariance*>(&s) == nullptr) {
    results.emplace_back("norms of samples", s.squared_sample_norms());
  }
  // Genotypes have no variables with most of the variance.
  if (s.diagonal().maxCoeff() > 10 * s.diagonal()[10]) {
    const Eigenpairs pairs = leading_eigenpairs(s, 2);
    results.emplace_back("eigenvalues", pairs.values);
    results.emplace_back("eigenvectors", pairs.vectors);
  }
  return results;
}

using Make = std::shared_ptr<const Covariance> (*)(bool);
class ProductsOnThreads : public testing::TestWithParam<std::pair<Make, bool>> {};

TEST_P(ProductsOnThreads, AreTheSameBytes) {
  const auto& [make, centered] = GetParam();
  const auto s = make(centered);
  const auto alone = products(*s);
  for (const int threads : {2, 7}) {
    SCOPED_TRACE(threads);
    const ThreadAllowance allowance(threads);
    ASSERT_EQ(threads_for(1e9, 1), threads);
    const auto together = products(*s);
    for (std::size_t i = 0; i < alone.size(); ++i) {
      expect_same(alone[i].second, together[i].second, alone[i].first);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, ProductsOnThreads,
                         testing::Values(std::pair(&dense, true), std::pair(&dense, false),
                                         std::pair(&sparse, true), std::pair(&sparse, false),
                                         std::pair(&genotypes, true), std::pair(&deflated, true)));

/// The data have more than four million entries. One vector touches at least half of them, so its
/// product goes by columns. The other vector touches a third, so its product goes by blocks of the
/// rows.
TEST(SparseVectors, OnManyEntriesHaveTheProductOfADenseVector) {
  constexpr Index kSamples = 4800, kFew = 1500;
  Random random(7);
  SparseRows data(kSamples, kFew);
  for (Index i = 0; i < kSamples; ++i) {
    data.startVec(i);
    for (Index j = 0; j < kFew; ++j) {
      if (j == 0 ? i % 3 == 0 : random.uniform() < 0.6) {
        data.insertBack(i, j) = random.uniform() - 0.2;
      }
    }
  }
  data.finalize();
  ASSERT_GE(data.nonZeros(), kLargeEntries);
  std::int64_t of_thirds = 0;
  for (Index i = 0; i < kSamples; i += 3) {
    of_thirds += data.innerVector(i).nonZeros();
  }
  ASSERT_EQ(scored_blocks(of_thirds, kFew), 2);
  for (const bool centered : {true, false}) {
    const auto s = make_covariance(data, {.centered = centered});
    const Component most{.support = {3, 800}, .values = generic(2, 1, 8)};
    const Component third{.support = {0}, .values = Vector::Ones(1)};
    for (const Component& few : {most, third}) {
      Vector alone, together, expected;
      s->multiply(few, alone);
      s->multiply(to_dense(few, kFew), expected);
      EXPECT_LE((alone - expected).norm(), 1e-13 * expected.norm());
      const ThreadAllowance allowance(3);
      s->multiply(few, together);
      expect_same(alone, together, "S v of a sparse v");
    }
  }
}

/// The last rows have too few entries after them for AVX2, so both paths are taken.
TEST(BlockPass, HasTheSameBytesOnAnyProcessor) {
  const SparseRows data = sparse_rows();
  const std::vector<std::int64_t> starts(data.outerIndexPtr(),
                                         data.outerIndexPtr() + data.rows() + 1);
  const SparseArrays rows{.lines = data.rows(),
                          .starts = starts.data(),
                          .indices = data.innerIndexPtr(),
                          .values = data.valuePtr()};
  const Matrix numbers = generic(2 * kBlockColumns, kVariables, 9);
  const Four means = Four::load(numbers.data());
  Matrix lines[2] = {numbers, numbers};
  Four sums[2];
  block_pass(rows, 0, rows.lines, 0.3, means, sums[0], lines[0].data());
  block_pass_by_pairs(rows, 0, rows.lines, 0.3, means, sums[1], lines[1].data());
  EXPECT_NE(lines[0], numbers);
  EXPECT_EQ(lines[0], lines[1]);
  EXPECT_EQ(std::memcmp(&sums[0], &sums[1], sizeof(Four)), 0);
}

TEST(RowBlocks, DependOnTheEntriesAndHoldEveryRow) {
  const SparseRows data = sparse_rows();
  std::vector<std::int64_t> starts(data.outerIndexPtr(), data.outerIndexPtr() + data.rows() + 1);
  const SparseArrays rows{.lines = data.rows(), .starts = starts.data()};
  const std::vector<Index> blocks = row_blocks(rows, kVariables);
  // The number of blocks is that of the entries over kLeastEntriesOfBlock * p, rounded down to a
  // power of two.
  ASSERT_GE(data.nonZeros(), 4 * kLeastEntriesOfBlock * kVariables);
  ASSERT_LT(data.nonZeros(), 8 * kLeastEntriesOfBlock * kVariables);
  ASSERT_EQ(blocks.size(), 5u);
  EXPECT_EQ(blocks.front(), 0);
  EXPECT_EQ(blocks.back(), data.rows());
  for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
    const std::int64_t entries = starts[static_cast<std::size_t>(blocks[b + 1])] -
                                 starts[static_cast<std::size_t>(blocks[b])];
    EXPECT_NEAR(static_cast<double>(entries), static_cast<double>(data.nonZeros()) / 4,
                static_cast<double>(kVariables));
  }
  EXPECT_EQ(row_blocks(rows, data.nonZeros()).size(), 2u);
}

TEST(ScoredBlocks, DependOnTheEntriesOfTheRows) {
  EXPECT_EQ(scored_blocks(0, 1000), 1);
  EXPECT_EQ(scored_blocks(kLeastShared - 1, 1000), 1);
  EXPECT_EQ(scored_blocks(kLeastShared, 1000), 2);
  EXPECT_EQ(scored_blocks(4 * kLeastScoredEntries, 1000), 4);
  EXPECT_EQ(scored_blocks(1000 * kLeastScoredEntries, 1000), 8);
  // With many columns a block must have some entries for each.
  constexpr Index kMany = 1'000'000;
  EXPECT_EQ(scored_blocks(2 * kLeastScoredOfColumn * kMany - 1, kMany), 1);
  EXPECT_EQ(scored_blocks(2 * kLeastScoredOfColumn * kMany, kMany), 2);
}

TEST(SparseProduct, IsThatOfTheSameNumbersAsDenseData) {
  // The sparse data have several blocks of rows.
  const auto s = sparse(true);
  const auto reference = make_covariance(Matrix(sparse_rows()), {.centered = true});
  const Matrix block = generic(kVariables, 5, 7);
  Matrix product, expected;
  s->multiply_block(block, product);
  reference->multiply_block(block, expected);
  EXPECT_LE((product - expected).norm(), 1e-12 * expected.norm());
  Vector one;
  s->multiply(Vector(block.col(1)), one);
  EXPECT_LE((one - expected.col(1)).norm(), 1e-12 * expected.norm());
}

TEST(DenseProducts, AreTheSameBytesOnThreads) {
  const Matrix a = generic(5003, 61, 8);
  const Matrix b = generic(61, 7, 9);
  const Matrix c = generic(5003, 7, 10);
  const auto all = [&] {
    Matrix less = c;
    subtract_product(less, a, b);
    return std::vector<Matrix>{matrix_product(a, b),
                               transposed_product(a, c),
                               less,
                               times_vector(a, b.col(0)),
                               transposed_times_vector(a, c.col(0)),
                               outside_of_span(a, c.col(1))};
  };
  const std::vector<Matrix> alone = all();
  for (const int threads : {2, 5}) {
    const ThreadAllowance allowance(threads);
    const std::vector<Matrix> together = all();
    for (std::size_t i = 0; i < alone.size(); ++i) {
      expect_same(alone[i], together[i], "a product");
    }
  }
}

TEST(ThreadAllowance, IsOneWithinThreads) {
  EXPECT_EQ(allowed_threads(), 1);
  const ThreadAllowance allowance(4);
  EXPECT_EQ(allowed_threads(), 4);
  std::atomic<int> most = 0;
  parallel_for(8, 4, [&](std::size_t) { most = std::max(most.load(), allowed_threads()); });
  EXPECT_EQ(most, 1);
  EXPECT_EQ(allowed_threads(), 4);
  // A single piece of work keeps all threads.
  parallel_for(1, 4, [&](std::size_t) { most = allowed_threads(); });
  EXPECT_EQ(most, 4);
  EXPECT_EQ(threads_for(10, 4), 2);
  EXPECT_EQ(threads_for(1, 4), 1);
}

TEST(ParallelRanges, HoldEveryNumberOnce) {
  for (const Index count : {0, 1, 7, 8, 24, 1000, 1003}) {
    for (const int threads : {1, 3}) {
      std::vector<int> seen(static_cast<std::size_t>(count), 0);
      parallel_ranges(count, 8, threads, [&](Index begin, Index end) {
        EXPECT_EQ(begin % 8, 0);
        EXPECT_TRUE(end == count || (end - begin) % 8 == 0);
        EXPECT_TRUE(end - begin >= 8 || count < 8);
        for (Index i = begin; i < end; ++i) {
          ++seen[static_cast<std::size_t>(i)];
        }
      });
      EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), count);
    }
  }
}

}  // namespace
}  // namespace spca::threads_test

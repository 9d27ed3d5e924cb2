/// Tests of the number of components that permuted columns, or the error of entries left out,
/// suggest.

#include "spca/measure/component_count.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/covariance/genotypes.h"
#include "spca/measure/permuted_columns.h"
#include "spca/measure/sample_folds.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <functional>

#include "spca/base/parallel.h"
#include "spca/base/random.h"
#include "spca/base/sha256.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/spectrum/eigenpairs.h"
#include "tests/solver_testing.h"

namespace spca::component_count_test {
namespace {

using trial::random_data;

constexpr double kRounding = 1e-8;  // of nearly exact eigenvectors

/// Returns n samples of p variables. Component c has the variance `strengths[c]`, beside that of
/// the noise, on its own block of k variables.
Matrix block_data(Index n, Index p, Index k, const std::vector<double>& strengths,
                  std::uint64_t seed) {
  Random random(seed);
  Matrix data(n, p);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < p; ++j) {
      data(i, j) = random.normal();
    }
    for (std::size_t c = 0; c < strengths.size(); ++c) {
      const double score = std::sqrt(strengths[c] / static_cast<double>(k)) * random.normal();
      data.row(i).segment(static_cast<Index>(c) * k, k).array() += score;
    }
  }
  return data;
}

std::shared_ptr<const Covariance> covariance_of(const Matrix& data, bool is_standardized = false) {
  return make_covariance(Matrix(data), {.standardized = is_standardized});
}

/// Returns the divisors of the columns, given their means.
using Divisors =
    std::function<Eigen::RowVectorXd(const Matrix& centred, const Eigen::RowVectorXd& means)>;

Eigen::RowVectorXd deviations(const Matrix& centred, const Eigen::RowVectorXd&) {
  return centred.colwise().norm() / std::sqrt(static_cast<double>(centred.rows()));
}

/// sqrt(2 f (1 - f)) for means of 2 f copies.
Eigen::RowVectorXd genetic_divisors(const Matrix&, const Eigen::RowVectorXd& means) {
  return (means.array() * (1 - means.array() / 2)).sqrt();
}

/// Returns the errors by definition: each entry is predicted by least squares on the other entries
/// of its row.
std::vector<double> brute_errors(const Matrix& data, Index folds, std::uint64_t seed, Index most,
                                 bool is_centered, const Divisors& divisors) {
  std::vector<double> means(static_cast<std::size_t>(most + 1), 0.0);
  for (const SampleFold& fold : sample_folds(data.rows(), folds, seed)) {
    Matrix kept = data(fold.kept, Eigen::all), left = data(fold.left_out, Eigen::all);
    const Eigen::RowVectorXd mean = is_centered
                                        ? Eigen::RowVectorXd(kept.colwise().mean())
                                        : Eigen::RowVectorXd(Eigen::RowVectorXd::Zero(data.cols()));
    kept.rowwise() -= mean;
    left.rowwise() -= mean;
    if (divisors) {
      const Eigen::RowVectorXd lengths = divisors(kept, mean);
      kept.array().rowwise() /= lengths.array();
      left.array().rowwise() /= lengths.array();
    }
    const Eigen::JacobiSVD<Matrix> svd(kept, Eigen::ComputeThinV);
    std::vector<double> errors;
    for (Index r = 0; r <= most; ++r) {
      const Matrix loadings = svd.matrixV().leftCols(r);
      double squares = 0;
      for (Index j = 0; j < data.cols(); ++j) {
        std::vector<Index> others;
        for (Index i = 0; i < data.cols(); ++i) {
          if (i != j) {
            others.push_back(i);
          }
        }
        for (Index i = 0; i < left.rows(); ++i) {
          double predicted = 0;
          if (r > 0) {
            const Matrix known = loadings(others, Eigen::all);
            const Vector entries = left.row(i)(others).transpose();
            const Vector scores = known.completeOrthogonalDecomposition().solve(entries);
            predicted = loadings.row(j).dot(scores);
          }
          squares += std::pow(left(i, j) - predicted, 2);
        }
      }
      errors.push_back(squares);
    }
    for (std::size_t r = 0; r < errors.size(); ++r) {
      means[r] += errors[r] / errors[0] / static_cast<double>(folds);
    }
  }
  return means;
}

TEST(LeftOutEntries, AreThoseOfLeastSquaresOnTheOtherEntries) {
  for (const auto& [is_centered, is_standardized] :
       {std::pair(true, false), std::pair(true, true), std::pair(false, false)}) {
    const Matrix data = block_data(13, 6, 3, {4, 2}, 3).array() + 0.5;
    const auto s =
        make_covariance(Matrix(data), {.centered = is_centered, .standardized = is_standardized});
    const LeftOutEntries found = cross_validate_entries(*s, {.most = 3, .folds = 4, .seed = 9});
    const std::vector<double> brute =
        brute_errors(data, 4, hash64("entries/9"), 3, is_centered,
                     is_standardized ? Divisors(deviations) : Divisors());
    ASSERT_EQ(found.errors.size(), brute.size());
    for (std::size_t r = 0; r < brute.size(); ++r) {
      EXPECT_NEAR(found.errors[r], brute[r], kRounding * brute[r]) << r;
    }
  }
}

/// The samples are of two populations, so that no variance is 2 f (1 - f).
TEST(LeftOutEntries, OfGenotypesAreScaledAsTheSamplesThatAreKept) {
  constexpr Index kSamples = 40;
  constexpr Index kVariants = 8;
  Random random(4);
  auto bytes = std::make_shared<std::vector<std::uint8_t>>(kVariants * kSamples / 4);
  Matrix copies(kSamples, kVariants);
  for (Index j = 0; j < kVariants; ++j) {
    for (Index i = 0; i < kSamples; ++i) {
      const double frequency = i % 2 == 0 ? .15 + .03 * static_cast<double>(j) : .8;
      const int count = static_cast<int>(random.uniform() < frequency) +
                        static_cast<int>(random.uniform() < frequency);
      copies(i, j) = count;
      const unsigned code = count == 2 ? 0 : count == 1 ? 2 : 3;
      std::uint8_t& byte = (*bytes)[static_cast<std::size_t>((j * kSamples + i) / 4)];
      byte = static_cast<std::uint8_t>(byte | code << (2 * (i % 4)));
    }
  }
  Genotypes genotypes;
  genotypes.samples = kSamples;
  genotypes.variants = kVariants;
  genotypes.bytes = bytes->data();
  genotypes.memory = bytes;
  genotypes.counts = count_genotypes(genotypes);
  const auto s = make_covariance(std::move(genotypes), Scale::kSamples);
  const LeftOutEntries found = cross_validate_entries(*s, {.most = 3, .folds = 4, .seed = 9});
  const std::vector<double> brute =
      brute_errors(copies, 4, hash64("entries/9"), 3, true, genetic_divisors);
  ASSERT_EQ(found.errors.size(), brute.size());
  for (std::size_t r = 0; r < brute.size(); ++r) {
    EXPECT_NEAR(found.errors[r], brute[r], kRounding * brute[r]) << r;
  }
}

TEST(LeftOutEntries, AVariableThatIsAComponentByItselfIsPredictedByItsMean) {
  Matrix data = Matrix::Zero(12, 4);
  Random random(5);
  for (Index i = 0; i < 12; ++i) {
    data(i, 0) = 10 * random.normal();
    data(i, 1) = data(i, 2) = random.normal();
  }
  // The first variable becomes a component by itself: its correlation with the others is removed.
  for (Index j : {1, 2}) {
    data.col(j) -= data.col(0) * (data.col(0).dot(data.col(j)) / data.col(0).squaredNorm());
  }
  const auto s = make_covariance(Matrix(data), {.centered = false});
  const LeftOutEntries found = cross_validate_entries(*s, {.most = 2, .folds = 3});
  for (const double error : found.errors) {
    EXPECT_TRUE(std::isfinite(error));
  }
  EXPECT_LT(found.errors[2], 1.01);
}

TEST(LeftOutEntries, OfSparseDataAreThoseOfDenseData) {
  Matrix data = block_data(30, 12, 4, {5, 3}, 2);
  data = (data.array().abs() > 0.8).select(data, 0.0);
  const SparseRows rows = data.sparseView();
  for (const bool is_standardized : {false, true}) {
    const DataForm form = {.standardized = is_standardized};
    const ComponentCountRequest request = {.most = 4, .permutations = 19};
    const auto dense = make_covariance(Matrix(data), form);
    const auto sparse = make_covariance(SparseRows(rows), form);
    const LeftOutEntries a = cross_validate_entries(*dense, request);
    const LeftOutEntries b = cross_validate_entries(*sparse, request);
    ASSERT_EQ(a.errors.size(), b.errors.size());
    for (std::size_t r = 0; r < a.errors.size(); ++r) {
      EXPECT_NEAR(a.errors[r], b.errors[r], kRounding * a.errors[r]);
    }
  }
}

TEST(PermutedColumns, KeepTheEntriesOfEveryColumn) {
  Matrix data = random_data(9, 5, 4);
  data = (data.array().abs() > 0.5).select(data, 0.0);
  const DataForm form = {.centered = false, .scale = Scale::kNone};
  const auto dense = make_covariance(Matrix(data), form);
  const SparseRows rows = data.sparseView();
  const auto sparse = make_covariance(SparseRows(rows), form);
  for (const auto& s : {dense, sparse}) {
    const PermutedColumns columns(*s);
    ASSERT_TRUE(columns.is_possible());
    const auto permuted = columns.draw(3);
    const auto again = columns.draw(3);
    for (Index j = 0; j < 5; ++j) {
      const Component one{.support = {j}, .values = Vector::Ones(1)};
      Vector before = s->data_product(one), after = permuted->data_product(one);
      EXPECT_EQ(after, again->data_product(one));
      std::sort(before.begin(), before.end());
      std::sort(after.begin(), after.end());
      EXPECT_EQ(before, after) << j;
    }
  }
}

TEST(PermutedColumns, OfSparseDataWithLargeMeansStandForTheSameColumns) {
  const Matrix data = random_data(20, 4, 6).array() + 1000;
  const SparseRows rows = data.sparseView();
  for (const bool is_centered : {true, false}) {
    const DataForm form = {.centered = is_centered};
    const auto s = make_covariance(SparseRows(rows), form);
    const auto permuted = PermutedColumns(*s).draw(1);
    for (Index j = 0; j < 4; ++j) {
      EXPECT_NEAR(s->diagonal()[j], permuted->diagonal()[j], 1e-9 * s->diagonal()[j]);
    }
  }
}

TEST(ParallelAnalysis, FindsTheComponentsOfBlocksAndNoneInNoise) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const bool is_standardized : {false, true}) {
      const ComponentCountRequest request = {.permutations = 19, .seed = seed};
      const auto blocks = covariance_of(block_data(150, 40, 8, {8, 6, 4}, seed), is_standardized);
      EXPECT_EQ(parallel_analysis(*blocks, request).components, 3) << seed;
      EXPECT_EQ(cross_validate_entries(*blocks, request).best, 3) << seed;
      const auto noise = covariance_of(random_data(100, 30, seed), is_standardized);
      EXPECT_LE(parallel_analysis(*noise, request).components, 1) << seed;
      EXPECT_EQ(cross_validate_entries(*noise, request).one_standard_error, 0) << seed;
    }
  }
}

TEST(ParallelAnalysis, IsTheSameForAnyNumberOfThreads) {
  const auto s = covariance_of(block_data(60, 20, 5, {5}, 1));
  const ComponentCountRequest request = {.most = 4, .permutations = 19};
  const ParallelAnalysis one = parallel_analysis(*s, request);
  const auto errors = cross_validate_entries(*s, request).errors;
  const ThreadAllowance allowance(3);
  EXPECT_EQ(parallel_analysis(*s, request).limits, one.limits);
  EXPECT_EQ(cross_validate_entries(*s, request).errors, errors);
}

TEST(ParallelAnalysis, SaysWhyThereIsNone) {
  const auto s = make_explicit_covariance(Matrix::Identity(4, 4));
  EXPECT_EQ(parallel_analysis(*s, {}).without, "S is given, not the data");
  EXPECT_EQ(cross_validate_entries(*s, {}).without, "S is given, not the data");
  const auto few = covariance_of(random_data(6, 4, 1));
  EXPECT_EQ(cross_validate_entries(*few, {}).without, "fewer than 2 samples a fold");
}

}  // namespace
}  // namespace spca::component_count_test

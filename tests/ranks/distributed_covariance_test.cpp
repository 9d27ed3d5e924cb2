#include "spca/ranks/distributed_covariance.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/covariance/held_submatrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/ranks/block_sums.h"
#include "spca/spectrum/eigenpairs.h"
#include "tests/ranks/thread_ranks.h"

namespace spca {
namespace {

constexpr double kClose = 1e-12;

/// Returns data with a mean that is large relative to the deviation in some columns.
Matrix random_data(Index n, Index p, std::uint64_t seed) {
  Random random(seed);
  Matrix data(n, p);
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < n; ++i) {
      data(i, j) = random.normal() + (j % 3 == 0 ? 100.0 : 0.0);
    }
  }
  return data;
}

SparseRows random_counts(Index n, Index p, std::uint64_t seed) {
  Random random(seed);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < p; ++j) {
      if (random.uniform() < 0.1) {
        entries.emplace_back(i, j, std::floor(1 + 5 * random.uniform()));
      }
    }
  }
  SparseRows rows(n, p);
  rows.setFromTriplets(entries.begin(), entries.end());
  return rows;
}

Genotypes random_genotypes(Index n, Index p, std::uint64_t seed) {
  Random random(seed);
  Genotypes genotypes;
  genotypes.samples = n;
  genotypes.variants = p;
  const auto bytes = std::make_shared<std::vector<std::uint8_t>>(
      static_cast<std::size_t>(genotypes.variant_bytes() * p));
  for (std::uint8_t& byte : *bytes) {
    byte = static_cast<std::uint8_t>(256 * random.uniform());
  }
  genotypes.bytes = bytes->data();
  genotypes.memory = bytes;
  genotypes.counts = count_genotypes(genotypes);
  return genotypes;
}

struct Case {
  std::string name;
  std::function<std::shared_ptr<const Covariance>()> whole;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const DataForm& form : {DataForm{.centered = true, .scale = Scale::kSamples},
                               DataForm{.centered = false, .scale = Scale::kSamplesMinusOne}}) {
    const std::string name = form.centered ? "centred" : "uncentred";
    all.push_back({"dense " + name, [=] { return make_covariance(random_data(77, 30, 1), form); }});
    all.push_back(
        {"sparse " + name, [=] { return make_covariance(random_counts(203, 40, 3), form); }});
    all.push_back({"few " + name, [=] { return make_covariance(random_counts(9, 40, 4), form); }});
  }
  all.push_back({"wide", [] {
                   return make_covariance(random_data(23, 60, 2),
                                          DataForm{.centered = true, .scale = Scale::kNone});
                 }});
  all.push_back(
      {"genotypes", [] { return make_covariance(random_genotypes(90, 50, 5), Scale::kSamples); }});
  return all;
}

/// Returns the results of the functions of S, and its leading eigenpairs, as one list of numbers.
std::vector<double> answers(const Covariance& s) {
  std::vector<double> numbers;
  const auto add = [&](const Matrix& matrix) {
    numbers.insert(numbers.end(), matrix.data(), matrix.data() + matrix.size());
  };
  const Index p = s.variables();
  const Index n = s.samples();
  Random random(9);
  Matrix block(p, 5);
  for (double& number : block.reshaped()) {
    number = random.normal();
  }
  const Component few{.support = {1, 4, p - 1}, .values = Vector{{0.5, -0.5, 1.0}}};
  Vector vector;
  Matrix matrix;
  s.multiply(Vector(block.col(0)), vector);
  add(vector);
  s.multiply(few, vector);
  add(vector);
  s.multiply_block(block, matrix);
  add(matrix);
  add(s.diagonal());
  add(s.columns({0, 3, p - 2}));
  add(s.submatrix({0, 2, 3, p - 1}));
  add(Matrix::Constant(1, 1, s.quadratic_form(few)));
  add(Matrix::Constant(1, 1, s.total_variance()));
  add(s.data_product(few));
  add(s.squared_sample_norms());
  Vector scores(n);
  for (double& number : scores) {
    number = random.normal();
  }
  add(s.transpose_product(scores));
  add(*s.gram());
  const Eigenpairs pairs = leading_eigenpairs(s, 3);
  add(pairs.values);
  add(pairs.vectors);
  return numbers;
}

TEST(RowBlocks, AreEveryRowOnce) {
  for (const Index n : {1, 3, 4, 7, 8, 33, 64, 1000, 1001}) {
    for (int ranks = 1; ranks <= 40; ++ranks) {
      const RowBlocks blocks(n, ranks);
      Index row = 0;
      for (int b = 0; b < blocks.count(); ++b) {
        EXPECT_EQ(blocks.rows(b).first, row);
        EXPECT_GT(blocks.rows(b).count(), 0);
        EXPECT_EQ(row % 4, 0);
        row = blocks.rows(b).last;
      }
      EXPECT_EQ(row, n);
      Index of_ranks = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        of_ranks += blocks.rows_of_rank(rank).count();
      }
      EXPECT_EQ(of_ranks, n);
    }
  }
  EXPECT_EQ(RowBlocks(1000, 3).count(), RowBlocks(1000, 1).count());
}

TEST(BlockSums, AreTheSameBytesForAllNumbersOfRanks) {
  // The rounded sum of these numbers depends on their order.
  const auto leaf = [](int block, Matrix& out) {
    out = Matrix::Constant(3, 2, std::pow(10.0, block % 7) / 3);
  };
  Matrix one;
  for (int ranks = 1; ranks <= RowBlocks::kRowBlocks; ++ranks) {
    in_ranks(ranks, [&](const std::shared_ptr<RankGroup>& group) {
      const BlockSums sums(group, RowBlocks(10000, ranks));
      const Matrix sum = sums.total(3, 2, 1, leaf);
      if (ranks == 1) {
        one = sum;
      }
      EXPECT_EQ(std::memcmp(sum.data(), one.data(), 6 * sizeof(double)), 0) << ranks;
    });
  }
}

TEST(BlockSums, SayIfRanksComputeDifferentThings) {
  EXPECT_THROW(in_ranks(3,
                        [](const std::shared_ptr<RankGroup>& group) {
                          const BlockSums sums(group, RowBlocks(100, 3));
                          const auto leaf = [](int, Matrix& out) { out = Matrix::Ones(4, 1); };
                          const double own = group->rank();
                          sums.total(4, 1, BlockSums::fingerprint(&own, 1), leaf);
                        }),
               InternalError);
}

TEST(DistributedCovariance, IsTheSerialOneForAllNumbersOfRanks) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    const std::vector<double> serial = answers(*one.whole());
    std::vector<double> first;
    for (const int ranks : {1, 2, 3, 7}) {
      SCOPED_TRACE(ranks);
      std::vector<std::vector<double>> of_rank(static_cast<std::size_t>(ranks));
      in_ranks(ranks, [&](const std::shared_ptr<RankGroup>& group) {
        const auto s = spread_covariance(group, group->rank() == 0 ? one.whole() : nullptr);
        of_rank[static_cast<std::size_t>(group->rank())] = answers(*s);
      });
      first = ranks == 1 ? of_rank.front() : first;
      for (const std::vector<double>& numbers : of_rank) {
        ASSERT_EQ(numbers.size(), serial.size());
        EXPECT_EQ(std::memcmp(numbers.data(), first.data(), first.size() * sizeof(double)), 0);
      }
    }
    const double largest =
        std::abs(*std::max_element(serial.begin(), serial.end(),
                                   [](double a, double b) { return std::abs(a) < std::abs(b); }));
    for (std::size_t i = 0; i < serial.size(); ++i) {
      EXPECT_NEAR(first[i], serial[i], kClose * largest) << i;
    }
  }
}

/// Returns normal numbers about 1e9, with a constant column of 0.1 and a column that has a zero.
Matrix data_about_large_means() {
  Matrix data = random_data(203, 6, 8);
  data.array() += 1e9;
  data.col(2).setConstant(0.1);
  data(150, 4) = 0;
  return data;
}

enum class Storage { kDense, kRows, kFile };

/// X by rows and by columns, as in a mapped file.
struct WholeFile {
  explicit WholeFile(const Matrix& data) : by_rows(data.sparseView()), by_columns(by_rows) {
    row_starts.assign(by_rows.outerIndexPtr(), by_rows.outerIndexPtr() + data.rows() + 1);
    column_starts.assign(by_columns.outerIndexPtr(), by_columns.outerIndexPtr() + data.cols() + 1);
    arrays.rows = {.lines = data.rows(),
                   .starts = row_starts.data(),
                   .indices = by_rows.innerIndexPtr(),
                   .values = by_rows.valuePtr()};
    arrays.columns = {.lines = data.cols(),
                      .starts = column_starts.data(),
                      .indices = by_columns.innerIndexPtr(),
                      .values = by_columns.valuePtr()};
  }
  SparseRows by_rows;
  SparseColumns by_columns;
  std::vector<std::int64_t> row_starts, column_starts;
  MappedSparse arrays;
};

/// Returns the rows of a rank, which lie in the file.
HeldRows rows_of_file(const std::shared_ptr<const WholeFile>& file, const RowRange& range) {
  const SparseArrays& rows = file->arrays.rows;
  return {.lines = range.count(),
          .starts = rows.starts + range.first,
          .indices = rows.indices,
          .values = rows.values,
          .owner = file,
          .whole = {file, &file->arrays}};
}

/// Returns results of an S whose ranks get their rows as from files: neither centred nor shifted.
std::vector<double> answers_of_rows(const Matrix& data, Storage storage, int ranks, DataForm form) {
  std::vector<double> numbers;
  const auto file = std::make_shared<const WholeFile>(data);
  in_ranks(ranks, [&](const std::shared_ptr<RankGroup>& group) {
    const RowBlocks blocks(data.rows(), ranks);
    const RowRange range = blocks.rows_of_rank(group->rank());
    OwnRows own;
    own.variables = data.cols();
    own.dense = data.middleRows(range.first, range.count());
    const SparseRows rows = own.dense.sparseView();
    const std::vector<std::int64_t> starts(rows.outerIndexPtr(),
                                           rows.outerIndexPtr() + rows.rows() + 1);
    if (storage != Storage::kDense) {
      own.kind = OwnRows::Kind::kSparse;
      own.dense.resize(0, 0);
      own.sparse = {.lines = rows.rows(),
                    .starts = starts.data(),
                    .indices = rows.innerIndexPtr(),
                    .values = rows.valuePtr(),
                    .owner = nullptr};
    }
    if (storage == Storage::kFile) {
      own.sparse = rows_of_file(file, range);
    }
    const auto s = make_distributed_covariance(group, blocks, std::move(own), form);
    const Support all = {0, 1, 2, 3, 4, 5};
    const Component few{.support = {1, 4}, .values = Vector{{0.6, -0.8}}};
    Vector product;
    s->multiply(Vector::LinSpaced(data.cols(), -1, 2), product);
    const Matrix parts[] = {
        s->submatrix(all),
        s->columns(all),
        s->diagonal(),
        s->data_product(few),
        s->transpose_product(Vector::LinSpaced(data.rows(), -1, 1)),
        Matrix::Constant(1, 1, s->quadratic_form(few)),
        product,
    };
    if (group->rank() == 0) {
      for (const Matrix& part : parts) {
        numbers.insert(numbers.end(), part.data(), part.data() + part.size());
      }
    }
  });
  return numbers;
}

TEST(DistributedCovariance, LargeMeansLoseNoDigits) {
  const Matrix data = data_about_large_means();
  for (const bool centered : {true, false}) {
    const DataForm form{.centered = centered, .scale = Scale::kSamples};
    const auto serial = make_covariance(data, form);
    const Support all = {0, 1, 2, 3, 4, 5};
    const Vector deviations = serial->diagonal().cwiseSqrt();
    for (const Storage storage : {Storage::kDense, Storage::kRows, Storage::kFile}) {
      const std::vector<double> first = answers_of_rows(data, storage, 1, form);
      const Eigen::Map<const Matrix> found(first.data(), 6, 6);
      const Matrix difference = (found - serial->submatrix(all)).cwiseAbs();
      EXPECT_TRUE(
          (difference.array() <= 1e-13 * (deviations * deviations.transpose()).array()).all())
          << difference;
      if (centered) {
        EXPECT_EQ(found.col(2), Vector::Zero(6));
      }
      for (const int ranks : {2, 3, 7}) {
        EXPECT_EQ(answers_of_rows(data, storage, ranks, form), first) << ranks;
      }
    }
  }
}

/// 8 blocks of 3000 entries or more: each is divided further, at the same rows for all numbers of
/// ranks.
TEST(DistributedCovariance, RowsOfAFileGiveTheAnswersOfCopiedOnes) {
  Matrix data = random_data(4100, 6, 11);
  data.rowwise() -= data.colwise().mean();
  data = (data.array() > -0.5).select(data, 0.0);
  for (const bool centered : {true, false}) {
    const DataForm form{.centered = centered, .scale = Scale::kSamples};
    const std::vector<double> copied = answers_of_rows(data, Storage::kRows, 1, form);
    const std::vector<double> mapped = answers_of_rows(data, Storage::kFile, 1, form);
    ASSERT_EQ(mapped.size(), copied.size());
    for (std::size_t i = 0; i < copied.size(); ++i) {
      EXPECT_NEAR(mapped[i], copied[i], 1e-13 * (1 + std::abs(copied[i]))) << i;
    }
    for (const int ranks : {2, 3, 7}) {
      EXPECT_EQ(answers_of_rows(data, Storage::kRows, ranks, form), copied) << ranks;
      EXPECT_EQ(answers_of_rows(data, Storage::kFile, ranks, form), mapped) << ranks;
    }
  }
}

TEST(DistributedCovariance, ColumnsOfAFileThatAreNotThoseOfItsRowsAreRefused) {
  const Matrix data = random_data(203, 6, 8);
  auto file = std::make_shared<WholeFile>(data);
  // The last row of a column comes first, so that its block has a row of another one.
  int* const rows = file->by_columns.innerIndexPtr();
  std::rotate(rows, rows + data.rows() - 1, rows + data.rows());
  OwnRows own;
  own.kind = OwnRows::Kind::kSparse;
  own.variables = data.cols();
  const RowBlocks blocks(data.rows(), 1);
  own.sparse = rows_of_file(file, blocks.rows_of_rank(0));
  in_ranks(1, [&](const std::shared_ptr<RankGroup>& group) {
    EXPECT_THROW(make_distributed_covariance(group, blocks, own, {}), InputError);
  });
}

TEST(DistributedCovariance, HoldsACostlySubmatrix) {
  const SparseRows data = random_data(25'000, 6, 12).sparseView();
  in_ranks(2, [&](const std::shared_ptr<RankGroup>& group) {
    const auto s =
        spread_covariance(group, group->rank() == 0 ? make_covariance(data, {}) : nullptr);
    const Matrix part = s->submatrix({1, 4});
    const HeldSubmatrix held(*s);
    s->submatrix({0, 1, 2, 3, 4, 5});
    EXPECT_TRUE(held.find({1, 4}).has_value());
    EXPECT_EQ(s->submatrix({1, 4}), part);
  });
}

TEST(DistributedCovariance, SIsRefused) {
  for (const int ranks : {1, 3}) {
    EXPECT_THROW(in_ranks(ranks,
                          [](const std::shared_ptr<RankGroup>& group) {
                            const auto s = group->rank() == 0
                                               ? make_explicit_covariance(Matrix::Identity(4, 4))
                                               : nullptr;
                            spread_covariance(group, s);
                          }),
                 InputError);
  }
}

}  // namespace
}  // namespace spca

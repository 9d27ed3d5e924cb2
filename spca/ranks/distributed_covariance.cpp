/// Every block of rows is a Covariance of its own: its rows, centred by the means of all rows, and
/// not scaled. Products with S are sums over the blocks (block_sums.h). So the loops over the data
/// are those of the serial code.

#include "spca/ranks/distributed_covariance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "spca/base/error.h"
#include "spca/covariance/column_shifts.h"
#include "spca/covariance/covariance_data.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/covariance/data_view.h"
#include "spca/covariance/held_submatrix.h"
#include "spca/ranks/block_sums.h"

namespace spca {
namespace {

/// G is formed for at most this number of samples: it then takes 3 GB in every rank.
constexpr Index kLargestGramSamples = 20000;
/// Number of rows that are broadcast at once for the Gram matrix.
constexpr Index kGramRows = 32;
constexpr DataForm kAsItIs = {.centered = false, .scale = Scale::kNone};

/// A block of sparse rows, which also has its columns.
struct SparseBlock {
  HeldRows rows;
  SparseArrays columns;                    // in `rows.whole`, or else in `indices` and `values`
  std::vector<std::int64_t> starts, ends;  // ends: if the columns are in `rows.whole`
  std::vector<int> indices;
  std::vector<double> values;

  const MappedFile* file() const {
    return rows.whole != nullptr ? rows.whole->file.get() : nullptr;
  }
  /// Tells the file that the entries of a column were read, scattered over it.
  void touched(Index column) const {
    if (file() != nullptr) {
      constexpr std::size_t kEntryBytes = sizeof(int) + sizeof(double);
      file()->touched(1, static_cast<std::size_t>(columns.count(column)) * kEntryBytes);
    }
  }
};

/// Rows of X - 1c'.
struct ShiftedBlock {
  std::vector<std::int64_t> starts = {0};
  std::vector<int> indices;
  std::vector<double> values;
};

void refuse_infinite(double value, Index row, Index column) {
  if (!std::isfinite(value)) {
    throw InputError(fmt::format("the data have {} in row {}, column {}; accepted: finite numbers",
                                 value, row + 1, column + 1));
  }
}

/// Releases the pages of a mapped file now and then while rows are read one after the other.
class PageReleases {
 public:
  explicit PageReleases(const MappedFile* file) : file_(file) {}
  /// Says that the next entries were read.
  void add(std::int64_t entries) {
    constexpr std::int64_t kMostEntries = kMappedWindow / (sizeof(int) + sizeof(double));
    read_ += entries;
    if (file_ != nullptr && read_ > kMostEntries) {
      file_->release_all();
      read_ = 0;
    }
  }

 private:
  const MappedFile* file_;  // null if there is none
  std::int64_t read_ = 0;
};

/// Returns the number of entries of each column of the block.
std::vector<std::int64_t> column_counts(const SparseBlock& block, Index p) {
  const HeldRows& rows = block.rows;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(p), 0);
  PageReleases releases(block.file());
  for (Index i = 0; i < rows.lines; ++i) {
    for (std::int64_t e = rows.starts[i]; e < rows.starts[i + 1]; ++e) {
      ++counts[static_cast<std::size_t>(rows.indices[e])];
    }
    releases.add(rows.starts[i + 1] - rows.starts[i]);
  }
  return counts;
}

/// Copies the columns of the block from its rows. The rows within a column ascend.
void copy_columns(SparseBlock& block, Index p) {
  const HeldRows& rows = block.rows;
  const auto entries = static_cast<std::size_t>(rows.starts[rows.lines] - rows.starts[0]);
  block.starts = column_counts(block, p);
  block.starts.insert(block.starts.begin(), 0);
  std::partial_sum(block.starts.begin(), block.starts.end(), block.starts.begin());
  block.indices.resize(entries);
  block.values.resize(entries);
  block.columns = {.lines = p,
                   .starts = block.starts.data(),
                   .indices = block.indices.data(),
                   .values = block.values.data()};
  std::vector<std::int64_t> next(block.starts.begin(), block.starts.end() - 1);
  for (Index i = 0; i < rows.lines; ++i) {
    for (std::int64_t e = rows.starts[i]; e < rows.starts[i + 1]; ++e) {
      const auto position =
          static_cast<std::size_t>(next[static_cast<std::size_t>(rows.indices[e])]++);
      block.indices[position] = static_cast<int>(i);
      block.values[position] = rows.values[e];
    }
  }
}

class DistributedCovariance final : public Covariance {
 public:
  DistributedCovariance(std::shared_ptr<RankGroup> group, const RowBlocks& blocks, OwnRows rows,
                        DataForm form)
      : group_(group),
        rows_(blocks),
        own_(blocks.of_rank(group->rank())),
        sums_(std::move(group), blocks),
        variables_(rows.variables),
        form_(form) {
    SPCA_CHECK(own_.first == own_.last || variables_ >= 1, "rows without columns");
    scale_ = rows.is_prepared ? 1 : checked_scale(samples(), variables_, form);
    switch (rows.kind) {
      case OwnRows::Kind::kDense:
        set_dense(std::move(rows));
        break;
      case OwnRows::Kind::kSparse:
        set_sparse(rows.sparse);
        break;
      case OwnRows::Kind::kGenotypes:
        set_genotypes(rows.genotypes);
        break;
    }
    diagonal_ = scale_ * sums_.total(variables_, 1, 0, [this](int b, Matrix& out) {
      out = diagonals_[static_cast<std::size_t>(b - own_.first)];
    });
    diagonals_.clear();
  }

  Index variables() const override { return variables_; }
  Index samples() const override { return rows_.samples(); }
  const Vector& diagonal() const override { return diagonal_; }
  bool has_data_form() const override { return true; }
  bool is_centered() const override { return form_.centered; }

  Matrix submatrix(const Support& support) const override {
    HeldSubmatrix* const held = HeldSubmatrix::of(*this);
    if (held != nullptr) {
      if (std::optional<Matrix> found = held->find(support)) {
        return *std::move(found);
      }
    }
    const Index k = std::ssize(support);
    Matrix result = scale_ * sums_.total(k, k, fingerprint_of(support), [&](int b, Matrix& out) {
      out = block(b).submatrix(support);
    });
    if (held != nullptr && counts_.size() > 0) {
      const auto entries = static_cast<std::int64_t>(counts_(support).sum());
      if (HeldSubmatrix::is_costly(support, entries, static_cast<std::int64_t>(counts_.sum()))) {
        held->replace(support, result);
      }
    }
    return result;
  }

  Matrix columns(const Support& support) const override {
    return scale_ * sums_.total(variables_, std::ssize(support), fingerprint_of(support),
                                [&](int b, Matrix& out) { out = block(b).columns(support); });
  }

  double quadratic_form(const Component& v) const override {
    return scale_ * sums_.total(1, 1, fingerprint_of(v), [&](int b, Matrix& out) {
      out = Matrix::Constant(1, 1, block(b).quadratic_form(v));
    })(0, 0);
  }

  std::optional<Matrix> gram() const override {
    if (samples() > kLargestGramSamples) {
      return std::nullopt;
    }
    return gram_.get(samples(), variables(), [this] { return compute_gram(); });
  }

  Vector transpose_product(const Vector& u) const override {
    SPCA_CHECK(u.size() == samples(), "a product with a vector that does not have n entries");
    return std::sqrt(scale_) *
           sums_.total(variables_, 1, BlockSums::fingerprint(u.data(), u.size()),
                       [&](int b, Matrix& out) {
                         const RowRange rows = rows_.rows(b);
                         out = block(b).transpose_product(u.segment(rows.first, rows.count()));
                       });
  }

  Vector data_product(const Component& v) const override {
    return std::sqrt(scale_) * gathered([&](int b) { return block(b).data_product(v); });
  }

  Vector squared_sample_norms() const override {
    return scale_ * gathered([&](int b) { return block(b).squared_sample_norms(); });
  }

 protected:
  void do_multiply(const Vector& v, Vector& out) const override {
    out = scale_ * sums_.total(variables_, 1, BlockSums::fingerprint(v.data(), v.size()),
                               [&](int b, Matrix& part) {
                                 Vector product;
                                 block(b).multiply(v, product);
                                 part = product;
                               });
  }

  void do_multiply(const Component& v, Vector& out) const override {
    out = scale_ * sums_.total(variables_, 1, fingerprint_of(v), [&](int b, Matrix& part) {
      Vector product;
      block(b).multiply(v, product);
      part = product;
    });
  }

  void do_multiply_block(const Matrix& v, Matrix& out) const override {
    out = sums_.total(variables_, v.cols(), BlockSums::fingerprint(v.data(), v.size()),
                      [&](int b, Matrix& part) { block(b).multiply_block(v, part); });
    out *= scale_;
  }

 private:
  const Covariance& block(int b) const {
    return *blocks_[static_cast<std::size_t>(b - own_.first)];
  }

  static std::uint64_t fingerprint_of(const Support& support) {
    std::uint64_t sum = support.size();
    for (std::size_t i = 0; i < support.size(); ++i) {
      sum += static_cast<std::uint64_t>(support[i]) * (2 * i + 1);
    }
    return sum * 0x9e3779b97f4a7c15U;
  }
  static std::uint64_t fingerprint_of(const Component& v) {
    return fingerprint_of(v.support) + BlockSums::fingerprint(v.values.data(), v.values.size());
  }

  /// Returns n numbers, collected from the blocks of all ranks.
  template <class OfBlock>
  Vector gathered(const OfBlock& of_block) const {
    const RowRange own = rows_.rows_of_rank(group_->rank());
    Vector part(own.count());
    for (int b = own_.first; b < own_.last; ++b) {
      const RowRange rows = rows_.rows(b);
      part.segment(rows.first - own.first, rows.count()) = of_block(b);
    }
    std::vector<int> counts;
    for (int rank = 0; rank < group_->size(); ++rank) {
      counts.push_back(static_cast<int>(rows_.rows_of_rank(rank).count()));
    }
    Vector all(samples());
    group_->gather_all(part.data(), all.data(), counts);
    return all;
  }

  void set_dense(OwnRows rows) {
    const Index before = rows_.rows_of_rank(group_->rank()).first;
    std::vector<Matrix> parts;
    for (int b = own_.first; b < own_.last; ++b) {
      const RowRange range = rows_.rows(b);
      parts.push_back(rows.dense.middleRows(range.first - before, range.count()));
      const Matrix& part = parts.back();
      for (Index j = 0; j < part.cols() && !part.allFinite(); ++j) {
        for (Index i = 0; i < part.rows(); ++i) {
          refuse_infinite(part(i, j), range.first + i, j);
        }
      }
    }
    rows.dense.resize(0, 0);
    // Twice, because the rounding error of a large mean is itself a mean.
    for (int time = 0; time < 2 && form_.centered && !rows.is_prepared; ++time) {
      const Vector means = sums_.total(variables_, 1, 0, [&](int b, Matrix& out) {
        out = parts[static_cast<std::size_t>(b - own_.first)].colwise().sum().transpose();
      }) / static_cast<double>(samples());
      for (Matrix& part : parts) {
        part.rowwise() -= means.transpose();
      }
    }
    for (Matrix& part : parts) {
      blocks_.push_back(make_covariance(std::move(part), kAsItIs));
      diagonals_.push_back(blocks_.back()->diagonal());
    }
  }

  void set_sparse(const HeldRows& held) {
    const Index before = rows_.rows_of_rank(group_->rank()).first;
    std::vector<std::shared_ptr<SparseBlock>> parts;
    for (int b = own_.first; b < own_.last; ++b) {
      const RowRange range = rows_.rows(b);
      const auto part = std::make_shared<SparseBlock>();
      part->rows = held;
      part->rows.lines = range.count();
      part->rows.starts = held.starts + (range.first - before);
      PageReleases releases(part->file());
      for (Index i = 0; i < range.count(); ++i) {
        for (std::int64_t e = part->rows.starts[i]; e < part->rows.starts[i + 1]; ++e) {
          refuse_infinite(held.values[e], range.first + i, held.indices[e]);
        }
        releases.add(part->rows.starts[i + 1] - part->rows.starts[i]);
      }
      parts.push_back(part);
    }
    if (held.whole != nullptr) {
      find_columns(*held.whole, parts);
    } else {
      for (const std::shared_ptr<SparseBlock>& part : parts) {
        copy_columns(*part, variables_);
      }
    }
    Matrix totals = column_totals(parts);
    if (form_.centered && shift_large_means(totals, parts)) {
      totals = column_totals(parts);
    }
    counts_ = totals.col(1);
    const Vector means = totals.col(0) / static_cast<double>(samples());
    for (const std::shared_ptr<SparseBlock>& part : parts) {
      const auto lines = static_cast<double>(part->rows.lines);
      MappedSparse data{.rows = {.lines = part->rows.lines,
                                 .starts = part->rows.starts,
                                 .indices = part->rows.indices,
                                 .values = part->rows.values},
                        .columns = part->columns,
                        .facts = {},
                        .shifts = {},
                        .file = part->rows.whole != nullptr ? part->rows.whole->file : nullptr};
      data.facts.sums = lines * means;  // S divides by `lines`, which gives the means back
      data.facts.squares = Vector::Zero(variables_);
      data.facts.centered_squares = Vector::Zero(variables_);
      for (Index j = 0; j < variables_; ++j) {
        const double* const begin = data.columns.values + data.columns.starts[j];
        const double* const end = data.columns.values + data.columns.end(j);
        const double mean = means[j];
        for (const double* value = begin; value != end; ++value) {
          data.facts.squares[j] += *value * *value;
          data.facts.centered_squares[j] += (*value - mean) * (*value - mean);
        }
        // m^2 for each zero.
        data.facts.centered_squares[j] += (lines - static_cast<double>(end - begin)) * mean * mean;
        part->touched(j);
      }
      blocks_.push_back(make_part_covariance(std::move(data),
                                             {.centered = form_.centered, .scale = Scale::kNone}));
      diagonals_.push_back(blocks_.back()->diagonal());
      memory_.push_back(part);
    }
  }

  using SparseBlocks = std::vector<std::shared_ptr<SparseBlock>>;

  /// Sets the columns of the blocks to those of the file: within a column the rows ascend, so that
  /// each block has consecutive entries.
  void find_columns(const MappedSparse& whole, const SparseBlocks& parts) const {
    const SparseArrays& columns = whole.columns;
    const auto p = static_cast<std::size_t>(variables_);
    std::vector<std::vector<std::int64_t>> counts;
    Vector own = Vector::Zero(variables_);
    for (const std::shared_ptr<SparseBlock>& part : parts) {
      counts.push_back(column_counts(*part, variables_));
      for (std::size_t j = 0; j < p; ++j) {
        own[static_cast<Index>(j)] += static_cast<double>(counts.back()[j]);
      }
    }
    const auto ranks = static_cast<std::size_t>(group_->size());
    Matrix all(variables_, group_->size());
    group_->gather_all(own.data(), all.data(), std::vector<int>(ranks, static_cast<int>(p)));
    std::vector<std::int64_t> next(columns.starts, columns.starts + p + 1);
    for (std::size_t j = 0; j < p; ++j) {
      const Index before = group_->rank();
      next[j] += static_cast<std::int64_t>(all.row(static_cast<Index>(j)).head(before).sum());
    }
    for (std::size_t b = 0; b < parts.size(); ++b) {
      SparseBlock& part = *parts[b];
      part.starts = next;
      for (std::size_t j = 0; j < p; ++j) {
        next[j] += counts[b][j];
      }
      part.ends = next;
      const RowRange range = rows_.rows(own_.first + static_cast<int>(b));
      part.columns = columns;
      part.columns.starts = part.starts.data();
      part.columns.ends = part.ends.data();
      part.columns.first_index = static_cast<int>(range.first);
      check_columns(part, columns);
    }
  }

  /// Refuses parts of columns whose first and last rows are not among those of the block.
  static void check_columns(const SparseBlock& part, const SparseArrays& whole) {
    for (Index j = 0; j < whole.lines; ++j) {
      const std::int64_t begin = part.columns.starts[j];
      const std::int64_t end = part.columns.end(j);
      if (begin < end && (end > whole.starts[j + 1] || part.columns.index(begin) < 0 ||
                          part.columns.index(end - 1) >= part.rows.lines)) {
        throw InputError(fmt::format(
            "column {} has other rows than the rows say; `spca convert --check` tests a file",
            j + 1));
      }
      part.touched(j);
    }
  }

  /// Returns the sum and the number of entries of each column, p x 2.
  Matrix column_totals(const SparseBlocks& parts) const {
    return sums_.total(variables_, 2, 0, [&](int b, Matrix& out) {
      const SparseBlock& part = *parts[static_cast<std::size_t>(b - own_.first)];
      const SparseArrays& columns = part.columns;
      out = Matrix::Zero(variables_, 2);
      for (Index j = 0; j < variables_; ++j) {
        for (std::int64_t e = columns.starts[j]; e < columns.end(j); ++e) {
          out(j, 0) += columns.values[e];
        }
        out(j, 1) = static_cast<double>(columns.count(j));
        part.touched(j);
      }
    });
  }

  /// Returns, for some columns, the sum of squares about the mean and the entry in the first row.
  Matrix facts_of(const std::vector<Index>& columns, const Vector& means,
                  const SparseBlocks& parts) const {
    return sums_.total(std::ssize(columns), 2, 0, [&](int b, Matrix& out) {
      const SparseBlock& part = *parts[static_cast<std::size_t>(b - own_.first)];
      out = Matrix::Zero(std::ssize(columns), 2);
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const Index j = columns[c];
        const double mean = means[j];
        const std::int64_t zeros = part.rows.lines - part.columns.count(j);
        double squares = static_cast<double>(zeros) * mean * mean;
        for (std::int64_t e = part.columns.starts[j]; e < part.columns.end(j); ++e) {
          const double value = part.columns.values[e];
          squares += (value - mean) * (value - mean);
          if (b == 0 && part.columns.index(e) == 0) {
            out(static_cast<Index>(c), 1) = value;
          }
        }
        out(static_cast<Index>(c), 0) = squares;
        part.touched(j);
      }
    });
  }

  /// Returns column_shifts() of all rows, the same in all ranks.
  Vector large_means(const Matrix& totals, const SparseBlocks& parts) const {
    const auto n = static_cast<double>(samples());
    const Vector means = totals.col(0) / n;
    // A column with a larger share of implicit zeros cannot have a large mean.
    constexpr double kLargestShareOfZeros = 1 / (kLargeMean * kLargeMean);
    std::vector<Index> candidates;
    for (Index j = 0; j < variables_; ++j) {
      if (n - totals(j, 1) <= kLargestShareOfZeros * n) {
        candidates.push_back(j);
      }
    }
    Vector shifts;
    if (candidates.empty()) {
      return shifts;
    }
    const Matrix facts = facts_of(candidates, means, parts);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const Index j = candidates[c];
      const double squares = facts(static_cast<Index>(c), 0);
      if (has_large_mean(means[j], squares, samples())) {
        if (shifts.size() == 0) {
          shifts.setZero(variables_);
        }
        shifts[j] = shift_of_column(means[j], squares, facts(static_cast<Index>(c), 1), samples());
      }
    }
    return shifts;
  }

  /// Subtracts constants from the columns with large means, which does not change S. Returns true
  /// if there are such columns.
  bool shift_large_means(const Matrix& totals, const SparseBlocks& parts) const {
    const Vector shifts = large_means(totals, parts);
    if (shifts.size() == 0) {
      return false;
    }
    const std::vector<int> shifted = shifted_columns(shifts);
    for (const std::shared_ptr<SparseBlock>& part : parts) {
      const auto rows = std::make_shared<ShiftedBlock>();
      const HeldRows& held = part->rows;
      for (Index i = 0; i < held.lines; ++i) {
        const std::int64_t start = held.starts[i];
        each_shifted(held.indices + start, held.values + start,
                     static_cast<int>(held.starts[i + 1] - start), shifts, shifted,
                     [&](int column, double value) {
                       rows->indices.push_back(column);
                       rows->values.push_back(value);
                     });
        rows->starts.push_back(std::ssize(rows->indices));
      }
      part->rows = {.lines = held.lines,
                    .starts = rows->starts.data(),
                    .indices = rows->indices.data(),
                    .values = rows->values.data(),
                    .owner = rows};
      copy_columns(*part, variables_);
    }
    return true;
  }

  void set_genotypes(const Genotypes& held) {
    const Index before = rows_.rows_of_rank(group_->rank()).first;
    std::vector<Genotypes> parts;
    for (int b = own_.first; b < own_.last; ++b) {
      const RowRange range = rows_.rows(b);
      Genotypes part;
      part.samples = range.count();
      part.variants = held.variants;
      const Index bytes = part.variant_bytes();
      const auto memory = std::make_shared<std::vector<std::uint8_t>>(
          static_cast<std::size_t>(bytes * part.variants));
      for (Index j = 0; j < part.variants; ++j) {
        const std::uint8_t* const from = held.variant(j) + (range.first - before) / 4;
        std::copy(from, from + bytes, memory->data() + j * bytes);
      }
      part.bytes = memory->data();
      part.memory = memory;
      part.counts = count_genotypes(part);
      parts.push_back(std::move(part));
    }
    // The counts are whole numbers, so their sums are exact in any order.
    const Matrix counts = sums_.total(4, variables_, 0, [&](int b, Matrix& out) {
      const Genotypes& part = parts[static_cast<std::size_t>(b - own_.first)];
      out.resize(4, variables_);
      for (Index j = 0; j < variables_; ++j) {
        for (Index code = 0; code < 4; ++code) {
          out(code, j) = static_cast<double>(
              part.counts[static_cast<std::size_t>(j)][static_cast<std::size_t>(code)]);
        }
      }
    });
    for (Genotypes& part : parts) {
      const std::vector<GenotypeCounts> own = part.counts;
      for (Index j = 0; j < variables_; ++j) {
        for (Index code = 0; code < 4; ++code) {
          part.counts[static_cast<std::size_t>(j)][static_cast<std::size_t>(code)] =
              static_cast<std::uint32_t>(counts(code, j));
        }
      }
      blocks_.push_back(make_covariance(std::move(part), Scale::kNone));
    }
    // With the counts of all rows, each block has the variances of all rows.
    for (int b = own_.first; b < own_.last; ++b) {
      diagonals_.push_back(b == 0 ? blocks_.front()->diagonal() : Vector(Vector::Zero(variables_)));
    }
  }

  /// Returns B / sqrt(scale) times `vectors`, which have p rows.
  Matrix products_with(const Matrix& vectors) const {
    const RowRange own = rows_.rows_of_rank(group_->rank());
    Matrix part(own.count(), vectors.cols());
    Component dense;
    for (Index j = 0; j < variables_; ++j) {
      dense.support.push_back(j);
    }
    for (Index c = 0; c < vectors.cols(); ++c) {
      dense.values = vectors.col(c);
      for (int b = own_.first; b < own_.last; ++b) {
        const RowRange rows = rows_.rows(b);
        part.col(c).segment(rows.first - own.first, rows.count()) = block(b).data_product(dense);
      }
    }
    std::vector<int> counts;
    for (int rank = 0; rank < group_->size(); ++rank) {
      counts.push_back(static_cast<int>(rows_.rows_of_rank(rank).count() * vectors.cols()));
    }
    Vector all(samples() * vectors.cols());
    group_->gather_all(part.data(), all.data(), counts);
    Matrix result(samples(), vectors.cols());
    const double* at = all.data();
    for (int rank = 0; rank < group_->size(); ++rank) {
      const RowRange rows = rows_.rows_of_rank(rank);
      result.middleRows(rows.first, rows.count()) =
          Eigen::Map<const Matrix>(at, rows.count(), vectors.cols());
      at += rows.count() * vectors.cols();
    }
    return result;
  }

  /// Broadcasts a few rows of B / sqrt(scale) at a time to all ranks, which multiply them by their
  /// own rows and by the scale.
  Matrix compute_gram() const {
    const Index n = samples();
    Matrix gram(n, n);
    for (int b = 0; b < rows_.count(); ++b) {
      const RowRange range = rows_.rows(b);
      int owner = 0;
      while (rows_.of_rank(owner).last <= b) {
        ++owner;
      }
      for (Index begin = range.first; begin < range.last; begin += kGramRows) {
        Matrix together(variables_, std::min(kGramRows, range.last - begin));
        if (owner == group_->rank()) {
          for (Index c = 0; c < together.cols(); ++c) {
            together.col(c) =
                block(b).transpose_product(Vector::Unit(range.count(), begin + c - range.first));
          }
        }
        group_->broadcast(together.data(),
                          static_cast<std::size_t>(together.size()) * sizeof(double), owner);
        gram.middleCols(begin, together.cols()) = scale_ * products_with(together);
      }
    }
    gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
    return gram;
  }

  std::shared_ptr<RankGroup> group_;
  RowBlocks rows_;
  RowBlocks::Blocks own_;
  BlockSums sums_;
  Index variables_;
  DataForm form_;
  double scale_ = 1;
  std::vector<std::shared_ptr<const Covariance>> blocks_;  // of this rank
  std::vector<std::shared_ptr<const void>> memory_;        // used by the blocks
  std::vector<Vector> diagonals_;                          // of the blocks, until they are added up
  Vector diagonal_;
  Vector counts_;  // of the entries of the columns of sparse data, else empty
  GramCache gram_;
};

/// The facts that all ranks need before rows are sent.
struct SpreadHeader {
  OwnRows::Kind kind = OwnRows::Kind::kDense;
  DataForm form;
  Index n = 0;  // 0: nothing can be spread
  Index p = 0;
};

/// The rows of a rank in transit. The kind in the header says which buffers are used.
struct Parcel {
  std::vector<double> values;
  std::vector<std::int64_t> starts;
  std::vector<int> indices;
  std::vector<std::uint8_t> genotypes;
};

Parcel pack(const DataView& view, const RowRange& range) {
  Parcel parcel;
  if (view.dense != nullptr) {
    const Matrix part = view.dense->middleRows(range.first, range.count());
    parcel.values.assign(part.data(), part.data() + part.size());
  } else if (view.rows != nullptr) {
    const SparseArrays& rows = *view.rows;
    const std::int64_t begin = rows.starts[range.first];
    const std::int64_t end = rows.starts[range.last];
    for (Index i = range.first; i <= range.last; ++i) {
      parcel.starts.push_back(rows.starts[i] - begin);
    }
    parcel.indices.assign(rows.indices + begin, rows.indices + end);
    parcel.values.assign(rows.values + begin, rows.values + end);
    for (std::size_t e = 0; view.shifts != nullptr && e < parcel.values.size(); ++e) {
      parcel.values[e] += (*view.shifts)[parcel.indices[e]];
    }
  } else {
    const Index bytes = (range.count() + 3) / 4;
    for (Index j = 0; j < view.genotypes->variants; ++j) {
      const std::uint8_t* const from = view.genotypes->variant(j) + range.first / 4;
      parcel.genotypes.insert(parcel.genotypes.end(), from, from + bytes);
    }
  }
  return parcel;
}

template <class Item>
void send_items(RankGroup& group, int to, const std::vector<Item>& items) {
  const std::uint64_t count = items.size();
  group.send(to, &count, sizeof count);
  group.send(to, items.data(), items.size() * sizeof(Item));
}

template <class Item>
std::vector<Item> receive_items(RankGroup& group, int from) {
  std::uint64_t count = 0;
  group.receive(from, &count, sizeof count);
  std::vector<Item> items(count);
  group.receive(from, items.data(), items.size() * sizeof(Item));
  return items;
}

OwnRows unpack(const SpreadHeader& header, const RowRange& range, Parcel parcel) {
  OwnRows rows;
  rows.kind = header.kind;
  rows.variables = header.p;
  rows.is_prepared = header.kind == OwnRows::Kind::kDense;
  if (header.kind == OwnRows::Kind::kDense) {
    rows.dense = Eigen::Map<const Matrix>(parcel.values.data(), range.count(), header.p);
    return rows;
  }
  const auto owner = std::make_shared<Parcel>(std::move(parcel));
  if (header.kind == OwnRows::Kind::kSparse) {
    if (owner->starts.empty()) {
      owner->starts.push_back(0);
    }
    rows.sparse = {.lines = range.count(),
                   .starts = owner->starts.data(),
                   .indices = owner->indices.data(),
                   .values = owner->values.data(),
                   .owner = owner};
    return rows;
  }
  rows.genotypes.samples = range.count();
  rows.genotypes.variants = header.p;
  rows.genotypes.bytes = owner->genotypes.data();
  rows.genotypes.memory = owner;
  return rows;
}

}  // namespace

std::shared_ptr<const Covariance> make_distributed_covariance(std::shared_ptr<RankGroup> group,
                                                              const RowBlocks& blocks, OwnRows rows,
                                                              DataForm form) {
  return std::make_shared<DistributedCovariance>(std::move(group), blocks, std::move(rows), form);
}

std::shared_ptr<const Covariance> spread_covariance(std::shared_ptr<RankGroup> group,
                                                    std::shared_ptr<const Covariance> whole) {
  SpreadHeader header;
  DataView view;
  if (group->rank() == 0) {
    if (const auto found = data_of(*whole)) {
      view = *found;
      header = {.kind = view.dense != nullptr  ? OwnRows::Kind::kDense
                        : view.rows != nullptr ? OwnRows::Kind::kSparse
                                               : OwnRows::Kind::kGenotypes,
                .form = view.form,
                .n = whole->samples(),
                .p = whole->variables()};
    }
  }
  group->broadcast(&header, sizeof header, 0);
  if (header.n == 0) {
    throw InputError(
        "S itself is given, and has no rows to spread; accepted: data, or `spca solve`");
  }
  if (header.kind == OwnRows::Kind::kSparse && header.form.standardized) {
    throw InputError(
        "sparse data are not standardised in ranks; accepted: dense data, or `spca solve`");
  }
  const RowBlocks blocks(header.n, group->size());
  const RowRange own = blocks.rows_of_rank(group->rank());
  Parcel parcel;
  if (group->rank() == 0) {
    for (int rank = 1; rank < group->size(); ++rank) {
      const Parcel part = pack(view, blocks.rows_of_rank(rank));
      send_items(*group, rank, part.values);
      send_items(*group, rank, part.starts);
      send_items(*group, rank, part.indices);
      send_items(*group, rank, part.genotypes);
    }
    parcel = pack(view, own);
    whole.reset();
  } else {
    parcel.values = receive_items<double>(*group, 0);
    parcel.starts = receive_items<std::int64_t>(*group, 0);
    parcel.indices = receive_items<int>(*group, 0);
    parcel.genotypes = receive_items<std::uint8_t>(*group, 0);
  }
  return make_distributed_covariance(std::move(group), blocks,
                                     unpack(header, own, std::move(parcel)), header.form);
}

}  // namespace spca

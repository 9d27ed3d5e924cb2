/// Sparse data: most entries are zero, and centring would fill them in. All formulas therefore work
/// with the rows as they are held, and correct by the means m afterwards. The rows are held as
/// X - 1c' (column_shifts.h), so that this correction cancels little. Two things decide the speed:
///
/// - The matrix is larger than the cache. A product reads each row for its score and at once again
///   for its contribution, so that X passes through memory once.
/// - The vectors may be larger than the cache, too. The number that a nonzero reads and the number
///   that it writes then share one line of the cache.

#include "spca/covariance/covariance_sparse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "spca/base/error.h"
#include "spca/base/line_memory.h"
#include "spca/base/parallel.h"
#include "spca/covariance/column_shifts.h"
#include "spca/covariance/covariance.h"
#include "spca/covariance/covariance_data.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/data_view.h"
#include "spca/covariance/detail/block_pass.h"
#include "spca/covariance/detail/sparse_gram.h"
#include "spca/covariance/detail/sparse_kernels.h"
#include "spca/covariance/detail/sparse_passes.h"
#include "spca/covariance/held_submatrix.h"
#include "spca/covariance/sparse_arrays.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"

namespace spca {
namespace {

void check_finite(const Eigen::Map<const SparseRows>& rows) {
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Eigen::Map<const SparseRows>::InnerIterator entry(rows, i); entry; ++entry) {
      if (!std::isfinite(entry.value())) {
        throw InputError(
            fmt::format("the data have {} in row {}, column {}; accepted: finite numbers",
                        entry.value(), i + 1, entry.col() + 1));
      }
    }
  }
}

/// Scores of the few rows that a k-sparse vector touches. The n-vectors are all zero between uses,
/// so that the cost of a product depends on the rows it touches and not on n. `seen` is needed
/// in addition to the scores: a score may cancel to zero and be touched again.
struct Workspace {
  std::vector<double> scores;       // n
  std::vector<unsigned char> seen;  // n
  std::vector<int> touched;

  void reserve(Index n) {
    if (scores.size() < static_cast<std::size_t>(n)) {
      scores.assign(static_cast<std::size_t>(n), 0.0);
      seen.assign(static_cast<std::size_t>(n), 0);
    }
    touched.clear();
  }
  void clear() {
    for (const int row : touched) {
      scores[static_cast<std::size_t>(row)] = 0;
      seen[static_cast<std::size_t>(row)] = 0;
    }
  }
};

/// Returns the workspace of this thread: const functions may be called from several threads at
/// once.
Workspace& thread_workspace(Index n) {
  thread_local Workspace workspace;
  workspace.reserve(n);
  return workspace;
}

using MappedRows = Eigen::Map<const SparseRows>;

MappedRows mapped(const SparseRows& rows) {
  return {rows.rows(),          rows.cols(),          rows.nonZeros(),
          rows.outerIndexPtr(), rows.innerIndexPtr(), rows.valuePtr()};
}

/// Eigen counts the entries of a sparse matrix by int.
constexpr Index kLargestCount = std::numeric_limits<int>::max() - 1;

template <class Vectors>
class PassLines;

/// Throws InputError if some value is not zero although all squares are zero. The values are read
/// only if all squares are zero.
void check_squares(const SparseArrays& columns, const ColumnFacts& facts) {
  if (facts.squares.maxCoeff() == 0 &&
      std::any_of(columns.values, columns.values + columns.entries(),
                  [](double value) { return value != 0; })) {
    refuse_vanished_squares();
  }
}

/// Holds X by rows and by columns. A product with a dense vector reads all rows; one with a sparse
/// vector reads the rows in which the vector has nonzeros, which are found through the columns.
/// Both are in memory of this object or in a mapped file.
class SparseCovariance final : public Covariance, public HoldsData {
 public:
  /// `data` must be compressed, because the products read the three arrays of the matrix directly.
  SparseCovariance(const MappedRows& data, std::shared_ptr<const void> owner, DataForm form)
      : form_(form),
        scale_(checked_scale(data.rows(), data.cols(), form)),
        owner_(std::move(owner)) {
    check_finite(data);
    hold(data);
    ColumnFacts facts = column_facts(columns_, samples());
    if (!form.samples_only) {
      check_squares(columns_, facts);
    }
    if (form.centered) {
      shifts_ = column_shifts(columns_, facts, samples());
    }
    if (shifts_.size() > 0) {
      const std::int64_t entries = shifted_entries(columns_, shifts_, samples());
      // Memory never holds more than two copies.
      SparseColumns().swap(own_columns_);
      const auto shifted =
          std::make_shared<SparseRows>(shifted_rows(rows_, shifts_, entries).markAsRValue());
      owner_ = shifted;
      hold(mapped(*shifted));
      facts = column_facts(columns_, samples());
    }
    set_facts(facts);
  }

  SparseCovariance(MappedSparse data, DataForm form)
      : form_(form),
        scale_(checked_scale(data.rows.lines, data.columns.lines, form)),
        rows_(data.rows),
        columns_(data.columns),
        file_(std::move(data.file)),
        shifts_(std::move(data.shifts)) {
    set_facts(data.facts);
  }

  Index variables() const override { return columns_.lines; }
  Index samples() const override { return rows_.lines; }
  const Vector& diagonal() const override { return diagonal_; }
  DataView data() const override {
    return {.rows = &rows_, .shifts = puts_back() ? &shifts_ : nullptr, .form = form_};
  }
  bool has_data_form() const override { return true; }
  bool is_centered() const override { return form_.centered; }

  Matrix submatrix(const Support& support) const override;
  Matrix columns(const Support& support) const override;
  double column_multiplications() const override;
  double quadratic_form(const Component& v) const override;
  std::optional<Matrix> gram() const override {
    return gram_.get(samples(), variables(), [this] { return compute_gram(); });
  }
  Vector transpose_product(const Vector& u) const override;
  Vector data_product(const Component& v) const override;
  Vector squared_sample_norms() const override;
  std::shared_ptr<const Covariance> of_samples(const std::vector<Index>& samples) const override;
  std::shared_ptr<const Covariance> in_form(const FormChange& change) const override;
  std::shared_ptr<const Covariance> in_memory(DataForm form) const;

 protected:
  void do_multiply(const Vector& v, Vector& out) const override;
  void do_multiply(const Component& v, Vector& out) const override;
  void do_multiply_block(const Matrix& v, Matrix& out) const override;

 private:
  /// Widens the starts of the lines, which Eigen stores as int.
  static const std::int64_t* wide_starts(const int* starts, Index lines,
                                         std::vector<std::int64_t>& wide) {
    wide.assign(starts, starts + lines + 1);
    return wide.data();
  }
  /// Stores the rows, and a copy by columns.
  void hold(const MappedRows& data) {
    own_columns_ = data;
    rows_ = {.lines = data.rows(),
             .starts = wide_starts(data.outerIndexPtr(), data.rows(), row_starts_),
             .indices = data.innerIndexPtr(),
             .values = data.valuePtr()};
    columns_ = {.lines = data.cols(),
                .starts = wide_starts(own_columns_.outerIndexPtr(), data.cols(), column_starts_),
                .indices = own_columns_.innerIndexPtr(),
                .values = own_columns_.valuePtr()};
  }
  /// Returns true if S is that of X although X - 1c' is held. For centred data c does not matter.
  bool puts_back() const { return !form_.centered && shifts_.size() > 0; }
  /// Sets the means, the variances and the blocks of products.
  void set_facts(const ColumnFacts& facts) {
    const auto n = static_cast<double>(samples());
    has_origin_ = form_.centered || puts_back();
    origin_ = Vector::Zero(variables());
    diagonal_ = scale_ * (form_.centered ? facts.centered_squares : facts.squares);
    if (form_.centered) {
      origin_ = facts.sums / n;
    } else if (puts_back()) {
      origin_ = -shifts_;
      sums_ = facts.sums;
      restored_sums_ = facts.sums + n * shifts_;
      diagonal_ = scale_ * (facts.centered_squares + restored_sums_.cwiseAbs2() / n);
    }
    blocks_ = row_blocks(rows_, variables());
  }
  template <class Part>
  void stream(const SparseArrays& arrays, const Part& part) const {
    stream_lines(arrays, 0, arrays.lines, file_.get(), kWindowEntries, part);
  }
  /// Returns a pass that works on `entries` entries, with as many threads as that is worth.
  SparsePass pass(std::int64_t entries) const {
    return {rows_, columns_, file_.get(),
            threads_for(static_cast<double>(entries), kLeastEntriesOfThread)};
  }
  /// Calls work(i) for each row, from several threads if that pays.
  template <class Work>
  void each_row(const Work& work) const {
    const int threads = pass(rows_.entries()).threads;
    stream(rows_, [&](Index first, Index last) {
      parallel_ranges(last - first, 1, threads, [&](Index begin, Index end) {
        for (Index i = first + begin; i < first + end; ++i) {
          work(i);
        }
      });
    });
  }
  /// Tells the mapped file that `lines` scattered lines with `entries` entries in all were read.
  void touched(std::size_t lines, std::size_t entries) const {
    if (file_ != nullptr) {
      constexpr std::size_t kEntryBytes = sizeof(int) + sizeof(double);
      file_->touched(lines, entries * kEntryBytes / std::max<std::size_t>(lines, 1));
    }
  }
  double correction(Index i, Index j) const;
  SparseRows selected_rows(const std::vector<Index>& samples) const;
  Matrix compute_gram() const;
  Vector row_products(const Vector& v) const;
  template <class Vectors>
  typename Vectors::Scores pass_rows(Index begin, Index end, const typename Vectors::Scores& means,
                                     std::int64_t window, PassLines<Vectors>& lines) const;
  template <class Vectors>
  void multiply_lines(const double* const* in, Index columns, const double* means,
                      double* const* out) const;
  double mean_of(const Component& v) const;
  bool touches_most(const Component& v) const;
  double quadratic_form_by_rows(const Component& v) const;
  void collect_scores(const Component& v, Workspace& workspace) const;
  std::int64_t touched_entries(const Workspace& workspace) const;
  double expected_entries(const Support& support) const;

  DataForm form_;
  double scale_;
  std::shared_ptr<const void> owner_;  // of the memory of the rows; null if X lies in a file
  SparseColumns own_columns_;          // empty if X lies in a file, as are both starts
  std::vector<std::int64_t> row_starts_;
  std::vector<std::int64_t> column_starts_;
  SparseArrays rows_;                       // X - 1c', n x p
  SparseArrays columns_;                    // X - 1c' by columns
  std::vector<Index> blocks_;               // row_blocks()
  std::shared_ptr<const MappedFile> file_;  // null if X lies in memory
  Vector shifts_;                           // c; empty if it is zero
  /// The vector subtracted from every row: B = sqrt(scale) (X - 1c' - 1 origin'). If centred, the
  /// means of the columns as they are held; else -c.
  Vector origin_;
  bool has_origin_ = false;  // whether it can differ from zero
  Vector sums_;              // 1'(X - 1c') if puts_back(), else empty
  Vector restored_sums_;     // 1'X if puts_back(), else empty
  Vector diagonal_;          // p
  GramCache gram_;
};

/// Returns entry (i, j) of (X - 1c')'(X - 1c') - S / scale. With o = origin, and s and t the sums
/// of the columns before and after subtracting o, this matrix is s o' + o t'; for centred data t =
/// 0 and s = n o.
double SparseCovariance::correction(Index i, Index j) const {
  return puts_back() ? sums_[i] * origin_[j] + origin_[i] * restored_sums_[j]
                     : static_cast<double>(samples()) * origin_[i] * origin_[j];
}

/// Returns origin'v: for centred data the mean of the scores of v.
double SparseCovariance::mean_of(const Component& v) const {
  double mean = 0;
  if (has_origin_) {
    for (Index i = 0; i < v.cardinality(); ++i) {
      mean += v.values[i] * origin_[v.support[static_cast<std::size_t>(i)]];
    }
  }
  return mean;
}

/// workspace.scores[i] = x_i'v for the rows in workspace.touched, not centred.
void SparseCovariance::collect_scores(const Component& v, Workspace& workspace) const {
  const int* const indices = columns_.indices;
  const double* const values = columns_.values;
  const int first_row = columns_.first_index;
  double* const scores = workspace.scores.data();
  unsigned char* const seen = workspace.seen.data();
  for (Index i = 0; i < v.cardinality(); ++i) {
    const Index j = v.support[static_cast<std::size_t>(i)];
    const double weight = v.values[i];
    const std::int64_t end = columns_.end(j);
    for (std::int64_t entry = columns_.starts[j]; entry < end; ++entry) {
      const int row = indices[entry] - first_row;
      scores[row] += weight * values[entry];
      if (seen[row] == 0) {
        seen[row] = 1;
        workspace.touched.push_back(row);
      }
    }
    touched(1, static_cast<std::size_t>(columns_.count(j)));
  }
}

/// The pass over some rows with one vector. Its entry v_j and the j-th entry of the result stand
/// side by side, in line j, so that a row adds its score next to the entry that it has just read.
/// For vectors larger than the cache this saves half of the misses.
struct OneVector {
  static constexpr Index kWidth = 1;
  using Scores = double;
  static Scores load(const double* numbers) { return *numbers; }
  static void store(Scores scores, double* numbers) { *numbers = scores; }
  static void add(Scores& sum, Scores scores) { sum += scores; }
  static void pass(const SparseArrays& rows, Index begin, Index end, double scale, Scores mean,
                   Scores& sum, double* lines) {
    for (Index i = begin; i < end; ++i) {
      const int* const indices = rows.indices + rows.starts[i];
      const double* const values = rows.values + rows.starts[i];
      const int count = rows.count(i);
      const double score = scale * (sparse_dot(values, indices, count, EverySecond{lines}) - mean);
      sum += score;
      sparse_add(score, values, indices, count, EverySecond{lines + 1});
    }
  }
};

/// The same as OneVector, with four vectors. Line j holds the j-th entries of the four vectors and
/// then those of the four results: one line of the cache, if aligned.
struct FourVectors {
  static constexpr Index kWidth = kBlockColumns;
  using Scores = Four;
  static Scores load(const double* numbers) { return Four::load(numbers); }
  static void store(const Scores& scores, double* numbers) { scores.store(numbers); }
  static void add(Scores& sum, const Scores& scores) { sum.add_scaled(1, scores); }
  static void pass(const SparseArrays& rows, Index begin, Index end, double scale,
                   const Scores& means, Scores& sum, double* lines) {
    block_pass(rows, begin, end, scale, means, sum, lines);
  }
};

/// Holds the p lines of a pass.
template <class Vectors>
class PassLines {
 public:
  /// Sets the vectors to `in`, `columns` <= kWidth of them, and the results to zero. Missing
  /// vectors are zero.
  void reset(const double* const* in, Index columns, Index p) {
    memory_.reserve(static_cast<std::size_t>(kLine * p));
    for (Index j = 0; j < p; ++j) {
      double* const line = data() + kLine * j;
      for (Index c = 0; c < Vectors::kWidth; ++c) {
        line[c] = c < columns ? in[c][j] : 0;
        line[Vectors::kWidth + c] = 0;
      }
    }
  }
  double* data() const { return memory_.data(); }

  /// Adds the results of lines `from` to `to` to `out`, or stores them there if `is_first`, and
  /// resets them to zero.
  void add_to(bool is_first, Index from, Index to, Index columns, double* const* out) {
    for (Index j = from; j < to; ++j) {
      double* const results = data() + kLine * j + Vectors::kWidth;
      for (Index c = 0; c < columns; ++c) {
        out[c][j] = is_first ? results[c] : out[c][j] + results[c];
        results[c] = 0;
      }
    }
  }

 private:
  static constexpr Index kLine = 2 * Vectors::kWidth;
  LineMemory memory_;
};

/// Adds X'z of the rows `begin` to `end` to the lines, with z = scale * (X v - 1 m'v), and returns
/// 1'z. A row is read twice, the second time from cache.
template <class Vectors>
typename Vectors::Scores SparseCovariance::pass_rows(Index begin, Index end,
                                                     const typename Vectors::Scores& means,
                                                     std::int64_t window,
                                                     PassLines<Vectors>& lines) const {
  typename Vectors::Scores sum{};
  stream_lines(rows_, begin, end, file_.get(), window, [&](Index from, Index to) {
    Vectors::pass(rows_, from, to, scale_, means, sum, lines.data());
  });
  return sum;
}

/// out[c] = S in[c] = scale * (X'z - m 1'z) with z = X in[c] - 1 m'in[c], the centred scores, for
/// at most kWidth columns. The rows are processed in blocks, and the results of the blocks are
/// added in their order. One thread holds the lines of one block at a time; several threads hold
/// the lines of all blocks.
template <class Vectors>
void SparseCovariance::multiply_lines(const double* const* in, Index columns, const double* means,
                                      double* const* out) const {
  const auto mean = Vectors::load(means);
  const std::size_t blocks = blocks_.size() - 1;
  const int threads =
      blocks == 1 ? 1 : pass(static_cast<std::int64_t>(Vectors::kWidth) * rows_.entries()).threads;
  std::vector<typename Vectors::Scores> sums(blocks);
  const auto run = [&](std::size_t b, PassLines<Vectors>& lines) {
    sums[b] = pass_rows(blocks_[b], blocks_[b + 1], mean, kWindowEntries / threads, lines);
  };
  if (threads > 1) {
    std::vector<PassLines<Vectors>> lines(blocks);
    parallel_for(blocks, threads, [&](std::size_t b) {
      lines[b].reset(in, columns, variables());
      run(b, lines[b]);
    });
    parallel_ranges(variables(), 1, threads, [&](Index from, Index to) {
      for (std::size_t b = 0; b < blocks; ++b) {
        lines[b].add_to(b == 0, from, to, columns, out);
      }
    });
  } else {
    thread_local PassLines<Vectors> lines;
    lines.reset(in, columns, variables());
    for (std::size_t b = 0; b < blocks; ++b) {
      run(b, lines);
      lines.add_to(b == 0, 0, variables(), columns, out);
    }
  }
  typename Vectors::Scores sum = sums[0];
  for (std::size_t b = 1; b < blocks; ++b) {
    Vectors::add(sum, sums[b]);
  }
  if (has_origin_) {
    double total[Vectors::kWidth];
    Vectors::store(sum, total);
    for (Index c = 0; c < columns; ++c) {
      for (Index j = 0; j < variables(); ++j) {
        out[c][j] -= total[c] * origin_[j];  // if centred, zero up to rounding
      }
    }
  }
}

void SparseCovariance::do_multiply(const Vector& v, Vector& out) const {
  const double mean = has_origin_ ? origin_.dot(v) : 0.0;
  Vector result(variables());  // `out` may be v
  const double* const in = v.data();
  double* const results = result.data();
  multiply_lines<OneVector>(&in, 1, &mean, &results);
  out = std::move(result);
}

void SparseCovariance::do_multiply_block(const Matrix& v, Matrix& out) const {
  out.resize(variables(), v.cols());
  for (Index begin = 0; begin < v.cols(); begin += kBlockColumns) {
    // The last block may have fewer columns; the lines then hold zeros in their place.
    const Index columns = std::min(kBlockColumns, v.cols() - begin);
    const double* in[kBlockColumns] = {};
    double* results[kBlockColumns] = {};
    double means[kBlockColumns] = {};
    for (Index c = 0; c < columns; ++c) {
      in[c] = v.col(begin + c).data();
      results[c] = out.col(begin + c).data();
      for (Index j = 0; has_origin_ && j < variables(); ++j) {
        means[c] += origin_[j] * in[c][j];
      }
    }
    multiply_lines<FourVectors>(in, columns, means, results);
  }
}

/// Returns the number of entries of the touched rows; 0 if X is so small that nothing depends on
/// it.
std::int64_t SparseCovariance::touched_entries(const Workspace& workspace) const {
  std::int64_t entries = 0;
  if (rows_.entries() >= kLeastShared) {
    for (const int row : workspace.touched) {
      entries += rows_.count(row);
    }
  }
  return entries;
}

/// S v = scale * (X'X v - n m m'v). The scores are not centred here: centred scores would be
/// nonzero in all n rows, also in rows that v does not touch.
void SparseCovariance::do_multiply(const Component& v, Vector& out) const {
  Workspace& workspace = thread_workspace(samples());
  collect_scores(v, workspace);
  out.setZero(variables());
  const std::int64_t entries = touched_entries(workspace);
  if (rows_.entries() >= kLargeEntries && 2 * entries >= rows_.entries()) {
    for (const int row : workspace.touched) {
      workspace.scores[static_cast<std::size_t>(row)] *= scale_;
    }
    add_transposed_product(pass(rows_.entries()), workspace.scores.data(), out.data());
  } else {
    const ScoredRows scored = {workspace.touched.data(), workspace.touched.size(),
                               workspace.scores.data(), entries};
    add_rows(pass(entries), scored, scale_, out.data());
  }
  workspace.clear();
  if (puts_back()) {
    double total = 0;
    for (Index i = 0; i < v.cardinality(); ++i) {
      total += v.values[i] * restored_sums_[v.support[static_cast<std::size_t>(i)]];
    }
    out -= scale_ * (mean_of(v) * sums_ + total * origin_);
  } else if (form_.centered) {
    out -= (scale_ * static_cast<double>(samples()) * mean_of(v)) * origin_;
  }
}

/// Computes the columns S e_j one by one: a product with one variable touches only the rows in
/// which it occurs. Threads share the columns, or each product if there are fewer columns.
Matrix SparseCovariance::columns(const Support& support) const {
  Matrix result(variables(), std::ssize(support));
  const int threads = std::ssize(support) < allowed_threads()
                          ? 1
                          : threads_for(expected_entries(support), kLeastEntriesOfThread);
  parallel_for(support.size(), threads, [&](std::size_t j) {
    Vector column;
    do_multiply({.support = {support[j]}, .values = Vector::Ones(1)}, column);
    result.col(static_cast<Index>(j)) = column;
  });
  return result;
}

/// The entries of the rows in which the variables occur, each row as often as one of them occurs in
/// it, if rows were of equal length.
double SparseCovariance::expected_entries(const Support& support) const {
  double rows = 0;
  for (const Index j : support) {
    rows += static_cast<double>(columns_.count(j));
  }
  return rows * static_cast<double>(rows_.entries()) / static_cast<double>(samples());
}

/// Returns the sum of the squared numbers of nonzeros of the rows: a column reads the rows in which
/// its variable occurs, so that all columns together read a row once for each of its nonzeros.
double SparseCovariance::column_multiplications() const {
  double sum = 0;
  for (Index i = 0; i < rows_.lines; ++i) {
    const auto nonzeros = static_cast<double>(rows_.starts[i + 1] - rows_.starts[i]);
    sum += nonzeros * nonzeros;
  }
  return sum;
}

/// v'Sv = scale * sum_i (x_i'v - m'v)^2. The rows that v does not touch have the score 0, and add
/// (m'v)^2 each.
double SparseCovariance::quadratic_form(const Component& v) const {
  if (touches_most(v)) {
    return quadratic_form_by_rows(v);
  }
  Workspace& workspace = thread_workspace(samples());
  collect_scores(v, workspace);
  const double mean = mean_of(v);
  double squares = 0;
  for (const int row : workspace.touched) {
    double& score = workspace.scores[static_cast<std::size_t>(row)];
    squares += (score - mean) * (score - mean);
    score = 0;
    workspace.seen[static_cast<std::size_t>(row)] = 0;
  }
  const auto untouched = static_cast<double>(samples() - std::ssize(workspace.touched));
  return scale_ * (squares + untouched * mean * mean);
}

/// Returns true if X is large and v reads at least half of its entries: reading the rows in their
/// order is then quicker than adding to scores scattered over n numbers.
bool SparseCovariance::touches_most(const Component& v) const {
  std::int64_t entries = 0;
  if (rows_.entries() >= kLargeEntries) {
    for (const Index j : v.support) {
      entries += columns_.count(j);
    }
  }
  return entries > 0 && 2 * entries >= rows_.entries();
}

double SparseCovariance::quadratic_form_by_rows(const Component& v) const {
  const Vector dense = to_dense(v, variables());
  const double mean = mean_of(v);
  Vector scores(samples());
  each_row([&](Index i) {
    const std::int64_t begin = rows_.starts[i];
    scores[i] =
        sparse_dot(rows_.values + begin, rows_.indices + begin, rows_.count(i), dense.data()) -
        mean;
  });
  return scale_ * scores.squaredNorm();
}

/// Each entry is the same, to the last bit, in every submatrix. So a costly submatrix is kept, and
/// later supports within its support are read from it.
Matrix SparseCovariance::submatrix(const Support& support) const {
  HeldSubmatrix* const held = HeldSubmatrix::of(*this);
  if (held != nullptr) {
    if (std::optional<Matrix> found = held->find(support)) {
      return *std::move(found);
    }
  }
  std::int64_t entries = 0;
  for (const Index j : support) {
    entries += columns_.count(j);
  }
  const bool is_large = HeldSubmatrix::is_costly(support, entries, rows_.entries());
  Matrix result = is_large ? gram_from_rows(pass(rows_.entries()), variables(), support)
                           : gram_from_columns(columns_, support);
  if (!is_large) {
    touched(support.size(), static_cast<std::size_t>(entries));
  }
  const Index k = std::ssize(support);
  for (Index b = 0; b < k; ++b) {
    const Index second = support[static_cast<std::size_t>(b)];
    // The diagonal comes from the two-pass formula, which does not cancel.
    result(b, b) = diagonal_[second];
    for (Index a = b + 1; a < k; ++a) {
      const Index first = support[static_cast<std::size_t>(a)];
      result(a, b) = result(b, a) = scale_ * (result(a, b) - correction(first, second));
    }
  }
  if (is_large && held != nullptr) {
    held->replace(support, result);
  }
  return result;
}

/// Returns (X - 1c')v, not centred.
Vector SparseCovariance::row_products(const Vector& v) const {
  Vector result = Vector::Zero(samples());
  each_row([&](Index i) {
    for (std::int64_t e = rows_.starts[i]; e < rows_.starts[i + 1]; ++e) {
      result[i] += rows_.values[e] * v[rows_.indices[e]];
    }
  });
  return result;
}

/// G = scale * (X - 1m')(X - 1m')' = scale * (XX' - (Xm)1' - 1(Xm)' + m'm 11'). Only the lower
/// triangle is computed and then mirrored. XX' is the sum over the columns of x_j x_j'. The
/// nonzeros of a column are sorted by row, so `second`, which starts at `first`, stays in the
/// triangle.
Matrix SparseCovariance::compute_gram() const {
  SPCA_CHECK(!columns_.has_parts_of_lines(), "the Gram matrix of some of the rows of a file");
  Matrix gram = Matrix::Zero(samples(), samples());
  const int* const indices = columns_.indices;
  const double* const values = columns_.values;
  stream(columns_, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) {
      for (std::int64_t first = columns_.starts[j]; first < columns_.starts[j + 1]; ++first) {
        double* const column = gram.col(indices[first]).data();
        const double value = values[first];
        for (std::int64_t second = first; second < columns_.starts[j + 1]; ++second) {
          column[indices[second]] += value * values[second];
        }
      }
    }
  });
  if (has_origin_) {
    const Vector shift = row_products(origin_);
    const double constant = origin_.squaredNorm();
    for (Index j = 0; j < samples(); ++j) {
      for (Index i = j; i < samples(); ++i) {
        gram(i, j) += constant - shift[i] - shift[j];
      }
    }
  }
  gram *= scale_;
  gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
  return gram;
}

/// sqrt(scale) (X'u - m 1'u).
Vector SparseCovariance::transpose_product(const Vector& u) const {
  Vector result = Vector::Zero(variables());
  add_transposed_product(pass(rows_.entries()), u.data(), result.data());
  if (has_origin_) {
    result -= u.sum() * origin_;
  }
  return std::sqrt(scale_) * result;
}

/// sqrt(scale) (Xv - 1 m'v), dense: after centring every sample has a score.
Vector SparseCovariance::data_product(const Component& v) const {
  Vector scores = Vector::Constant(samples(), -mean_of(v));
  for (Index i = 0; i < v.cardinality(); ++i) {
    const Index j = v.support[static_cast<std::size_t>(i)];
    for (std::int64_t e = columns_.starts[j]; e < columns_.end(j); ++e) {
      scores[columns_.index(e)] += v.values[i] * columns_.values[e];
    }
    touched(1, static_cast<std::size_t>(columns_.count(j)));
  }
  return std::sqrt(scale_) * scores;
}

/// ||x_i - m||^2 = ||m||^2 + sum over the nonzeros of x (x - 2 m_j). Rounding may make it negative.
Vector SparseCovariance::squared_sample_norms() const {
  Vector norms = Vector::Constant(samples(), origin_.squaredNorm());
  each_row([&](Index i) {
    for (std::int64_t e = rows_.starts[i]; e < rows_.starts[i + 1]; ++e) {
      norms[i] += rows_.values[e] * (rows_.values[e] - 2 * origin_[rows_.indices[e]]);
    }
  });
  return scale_ * norms.cwiseMax(0.0);
}

/// Returns the rows of X of the given samples, in the given order.
SparseRows SparseCovariance::selected_rows(const std::vector<Index>& samples) const {
  Index nonzeros = 0;
  for (const Index i : samples) {
    nonzeros += rows_.count(i);
  }
  if (nonzeros > kLargestCount) {
    throw InputError(fmt::format("the chosen samples have {} nonzeros; accepted: at most {}",
                                 nonzeros, kLargestCount));
  }
  SparseRows selected(static_cast<Index>(samples.size()), variables());
  // Counted first, because a sparse matrix that grows is copied again and again.
  selected.reserve(nonzeros);
  for (std::size_t row = 0; row < samples.size(); ++row) {
    selected.startVec(static_cast<Index>(row));
    const Index i = samples[row];
    for (std::int64_t e = rows_.starts[i]; e < rows_.starts[i + 1]; ++e) {
      const int j = rows_.indices[e];
      selected.insertBack(static_cast<Index>(row), j) =
          rows_.values[e] + (shifts_.size() > 0 ? shifts_[j] : 0);
    }
    touched(1, static_cast<std::size_t>(rows_.count(i)));
  }
  selected.finalize();
  return selected;
}

std::shared_ptr<const Covariance> SparseCovariance::of_samples(
    const std::vector<Index>& samples) const {
  return make_covariance(selected_rows(samples).markAsRValue(), form_);
}

/// Data in memory are copied, because the form may scale them. A mapped file is shared.
std::shared_ptr<const Covariance> SparseCovariance::in_form(const FormChange& change) const {
  if (form_.standardized || (file_ != nullptr && change.standardized)) {
    return nullptr;
  }
  if (file_ != nullptr) {
    return make_covariance(MappedSparse{.rows = rows_,
                                        .columns = columns_,
                                        .facts = column_facts(columns_, samples()),
                                        .shifts = shifts_,
                                        .file = file_},
                           change.of(form_));
  }
  return in_memory(change.of(form_));
}

/// Returns S of a copy of X.
std::shared_ptr<const Covariance> SparseCovariance::in_memory(DataForm form) const {
  return make_covariance(selected_rows(all_variables(samples())).markAsRValue(), form);
}

void multiply_columns(SparseRows& rows, const Vector& factors) {
  for (Index i = 0; i < rows.rows(); ++i) {
    for (SparseRows::InnerIterator entry(rows, i); entry; ++entry) {
      entry.valueRef() *= factors[entry.col()];
    }
  }
}

/// Makes the nonzeros of constant columns zeros, and scales columns of extreme magnitude by powers
/// of two, so that their squares neither underflow nor overflow. No digit is lost.
void even_out_columns(SparseRows& rows) {
  constexpr double kSmallest = 1e-60, kLargest = 1e60;
  constexpr int kLargestPower = std::numeric_limits<double>::max_exponent - 1;
  const Index p = rows.cols();
  Vector least = Vector::Constant(p, std::numeric_limits<double>::infinity());
  Vector largest = -least;
  std::vector<Index> counts(static_cast<std::size_t>(p), 0);
  for (Index i = 0; i < rows.rows(); ++i) {
    for (SparseRows::InnerIterator entry(rows, i); entry; ++entry) {
      const Index j = entry.col();
      least[j] = std::min(least[j], entry.value());
      largest[j] = std::max(largest[j], entry.value());
      ++counts[static_cast<std::size_t>(j)];
    }
  }
  Vector factors = Vector::Ones(p);
  for (Index j = 0; j < p; ++j) {
    if (counts[static_cast<std::size_t>(j)] < rows.rows()) {
      least[j] = std::min(least[j], 0.0);
      largest[j] = std::max(largest[j], 0.0);
    }
    const double magnitude = std::max(std::abs(least[j]), std::abs(largest[j]));
    if (is_constant(least[j], largest[j])) {
      factors[j] = 0;
    } else if (magnitude < kSmallest || magnitude > kLargest) {
      factors[j] = std::ldexp(1.0, std::min(-std::ilogb(magnitude), kLargestPower));
    }
  }
  if ((factors.array() != 1).any()) {
    multiply_columns(rows, factors);
  }
}

/// Divides each column by its deviation, with 1/n. The nonzeros of a constant column become zeros.
void divide_by_deviations(SparseRows& rows) {
  check_finite(mapped(rows));
  even_out_columns(rows);
  shift_large_means(rows);
  const ColumnFacts facts = ColumnsOfRows(rows).facts;
  const Vector deviations = (facts.centered_squares / static_cast<double>(rows.rows())).cwiseSqrt();
  multiply_columns(rows, (deviations.array() > 0).select(deviations.cwiseInverse(), 0.0));
}

}  // namespace

std::shared_ptr<const Covariance> make_covariance(MappedSparse data, DataForm form) {
  if (data.columns.lines > 0 && !form.samples_only) {
    check_squares(data.columns, data.facts);
  }
  if (form.centered && data.shifts.size() == 0) {
    const Index n = data.rows.lines;
    const Vector shifts = column_shifts(data.columns, data.facts, n);
    if (shifts.size() > 0) {
      return SparseCovariance(std::move(data), form).in_memory(form);
    }
  }
  return make_part_covariance(std::move(data), form);
}

std::shared_ptr<const Covariance> make_part_covariance(MappedSparse data, DataForm form) {
  return std::make_shared<SparseCovariance>(std::move(data), form);
}

std::shared_ptr<const Covariance> make_covariance(SparseRows data, DataForm form) {
  // Eigen 3.4 cannot move sparse matrices. Only a matrix that is marked is swapped instead of
  // copied.
  auto rows = std::make_shared<SparseRows>(data.markAsRValue());
  rows->makeCompressed();
  if (form.standardized) {
    divide_by_deviations(*rows);
  }
  const MappedRows map = mapped(*rows);
  return std::make_shared<SparseCovariance>(map, std::move(rows), form);
}

std::shared_ptr<const Covariance> make_mapped_covariance(const Eigen::Map<const SparseRows>& data,
                                                         std::shared_ptr<const void> owner,
                                                         DataForm form) {
  SPCA_CHECK(!form.standardized, "standardised rows are copied");
  return std::make_shared<SparseCovariance>(data, std::move(owner), form);
}

}  // namespace spca

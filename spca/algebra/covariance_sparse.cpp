/// Sparse data, of which most entries are zero and stay so: centring would fill them in. All
/// formulas therefore work with X as it is, and correct by the means m afterwards. Two things
/// decide the speed:
///
/// - The matrix is larger than the cache. A product reads each row for its score and at once again
///   for its contribution, so that X passes through memory once.
/// - The vectors may be larger than the cache, too. What a nonzero reads and what it writes then
///   share one line.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "spca/algebra/covariance.h"
#include "spca/algebra/covariance_data.h"
#include "spca/algebra/mapped_covariance.h"
#include "spca/algebra/sparse_kernels.h"
#include "spca/base/error.h"

namespace spca {
namespace {

using MappedRows = Eigen::Map<const SparseRows>;

void check_finite(const MappedRows& rows) {
  for (Index i = 0; i < rows.rows(); ++i) {
    for (MappedRows::InnerIterator entry(rows, i); entry; ++entry) {
      if (!std::isfinite(entry.value())) {
        throw InputError(
            fmt::format("the data have {} in row {}, column {}; accepted: finite numbers",
                        entry.value(), i + 1, entry.col() + 1));
      }
    }
  }
}

/// Scores of the few rows that a k-sparse vector touches. The n-vectors are all zero between uses,
/// so that a product costs what it touches and not n. `seen` is needed beside the scores: a score
/// may cancel to zero and be touched again.
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
};

/// One workspace a thread: const functions may be called from several threads at once.
Workspace& thread_workspace(Index n) {
  thread_local Workspace workspace;
  workspace.reserve(n);
  return workspace;
}

/// Holds X by rows and by columns. The rows serve products with dense vectors, and the rows that a
/// sparse vector touches. The columns find these rows.
class SparseCovariance final : public Covariance {
 public:
  /// `data` are compressed, because the products read the three arrays of the matrix themselves.
  SparseCovariance(const MappedRows& data, std::shared_ptr<const void> owner, DataForm form)
      : form_(form),
        scale_(checked_scale(data.rows(), data.cols(), form)),
        owner_(std::move(owner)),
        rows_(data) {
    check_finite(rows_);
    columns_ = rows_;
    means_ = Vector::Zero(variables());
    diagonal_.resize(variables());
    const double n = static_cast<double>(samples());
    for (Index j = 0; j < variables(); ++j) {
      double sum = 0;
      for (SparseColumns::InnerIterator entry(columns_, j); entry; ++entry) {
        sum += entry.value();
      }
      const double mean = form.centered ? sum / n : 0.0;
      // The variance in two passes: (x - m)^2 for each nonzero and m^2 for each zero. The one-pass
      // formula would cancel if the mean is large against the deviation.
      double squares = 0;
      Index nonzeros = 0;
      for (SparseColumns::InnerIterator entry(columns_, j); entry; ++entry, ++nonzeros) {
        squares += (entry.value() - mean) * (entry.value() - mean);
      }
      means_[j] = mean;
      diagonal_[j] = scale_ * (squares + (n - static_cast<double>(nonzeros)) * mean * mean);
    }
  }

  Index variables() const override { return rows_.cols(); }
  Index samples() const override { return rows_.rows(); }
  const Vector& diagonal() const override { return diagonal_; }
  bool has_data_form() const override { return true; }
  bool is_centered() const override { return form_.centered; }

  Matrix submatrix(const Support& support) const override;
  Matrix columns(const Support& support) const override;
  double quadratic_form(const Component& v) const override;
  std::optional<Matrix> gram() const override {
    return gram_.get(samples(), variables(), [this] { return compute_gram(); });
  }
  Vector transpose_product(const Vector& u) const override;
  Vector data_product(const Component& v) const override;
  Vector squared_sample_norms() const override;
  std::shared_ptr<const Covariance> of_samples(const std::vector<Index>& samples) const override;

 protected:
  void do_multiply(const Vector& v, Vector& out) const override;
  void do_multiply(const Component& v, Vector& out) const override;
  void do_multiply_block(const Matrix& v, Matrix& out) const override;

 private:
  Matrix compute_gram() const;
  void multiply_four(const double* const* in, Index columns, double* const* out) const;
  double mean_of(const Component& v) const;
  void collect_scores(const Component& v, Workspace& workspace) const;

  DataForm form_;
  double scale_;
  std::shared_ptr<const void> owner_;  // of the memory of rows_
  MappedRows rows_;                    // n x p, as given
  SparseColumns columns_;              // the same by columns
  Vector means_;                       // p; zero if not centred
  Vector diagonal_;                    // p
  GramCache gram_;
};

/// m'v, the mean of the scores of v.
double SparseCovariance::mean_of(const Component& v) const {
  double mean = 0;
  if (form_.centered) {
    for (Index i = 0; i < v.cardinality(); ++i) {
      mean += v.values[i] * means_[v.support[static_cast<std::size_t>(i)]];
    }
  }
  return mean;
}

/// workspace.scores[i] = x_i'v for the rows in workspace.touched, not centred.
void SparseCovariance::collect_scores(const Component& v, Workspace& workspace) const {
  const int* const starts = columns_.outerIndexPtr();
  const int* const indices = columns_.innerIndexPtr();
  const double* const values = columns_.valuePtr();
  double* const scores = workspace.scores.data();
  unsigned char* const seen = workspace.seen.data();
  for (Index i = 0; i < v.cardinality(); ++i) {
    const Index j = v.support[static_cast<std::size_t>(i)];
    const double weight = v.values[i];
    for (int entry = starts[j]; entry < starts[j + 1]; ++entry) {
      const int row = indices[entry];
      scores[row] += weight * values[entry];
      if (seen[row] == 0) {
        seen[row] = 1;
        workspace.touched.push_back(row);
      }
    }
  }
}

/// S v = scale * (X'z - m 1'z) with z = X v - 1 m'v, the centred scores.
void SparseCovariance::do_multiply(const Vector& v, Vector& out) const {
  // v_j and the j-th entry of the result stand side by side, so that a row adds its score next to
  // what it has just read. For vectors larger than the cache this saves half of the misses.
  thread_local Vector pairs;
  pairs.setZero(2 * variables());
  const EverySecond in{pairs.data()};
  const EverySecond result{pairs.data() + 1};
  for (Index j = 0; j < variables(); ++j) {
    pairs[2 * j] = v[j];
  }
  const int* const starts = rows_.outerIndexPtr();
  const int* const indices = rows_.innerIndexPtr();
  const double* const values = rows_.valuePtr();
  const double mean = form_.centered ? means_.dot(v) : 0.0;
  double sum = 0;
  // A row is read twice, the second time from cache, and so the matrix passes through memory once.
  for (Index i = 0; i < samples(); ++i) {
    const int begin = starts[i];
    const int count = starts[i + 1] - begin;
    const double score = scale_ * (sparse_dot(values + begin, indices + begin, count, in) - mean);
    sum += score;
    sparse_add(score, values + begin, indices + begin, count, result);
  }
  out.resize(variables());
  for (Index j = 0; j < variables(); ++j) {
    out[j] = pairs[2 * j + 1];
  }
  if (form_.centered) {
    out -= sum * means_;
  }
}

/// out[c] = S in[c] for at most kBlockColumns columns, by the formula of do_multiply. Line j holds
/// the j-th entries of the four vectors and then those of the four results: one line of the cache,
/// if aligned.
void SparseCovariance::multiply_four(const double* const* in, Index columns,
                                     double* const* out) const {
  thread_local Vector storage;
  constexpr Index kAlignment = 2 * kBlockColumns;  // doubles of a cache line
  storage.setZero(2 * kBlockColumns * variables() + kAlignment);
  double* lines = storage.data();
  // Eigen aligns to 16 or 32 bytes, a line of the cache has 64. The storage has room for the shift.
  while (reinterpret_cast<std::uintptr_t>(lines) % (kAlignment * sizeof(double)) != 0) {
    ++lines;
  }
  double means[kBlockColumns] = {};
  for (Index c = 0; c < columns; ++c) {
    for (Index j = 0; j < variables(); ++j) {
      lines[2 * kBlockColumns * j + c] = in[c][j];
      means[c] += means_[j] * in[c][j];
    }
  }
  const int* const starts = rows_.outerIndexPtr();
  const int* const indices = rows_.innerIndexPtr();
  const double* const values = rows_.valuePtr();
  const std::ptrdiff_t last = rows_.nonZeros() - 1;
  const Four mean = Four::load(means);
  Four sum;
  for (Index i = 0; i < samples(); ++i) {
    const int begin = starts[i];
    const int count = starts[i + 1] - begin;
    Four scores = block_dot(values + begin, indices + begin, count, lines, last - begin);
    scores = {scale_ * (scores.low - mean.low), scale_ * (scores.high - mean.high)};
    sum.add_scaled(1, scores);
    block_add(scores, values + begin, indices + begin, count, lines);
  }
  double sums[kBlockColumns];
  sum.store(sums);
  for (Index c = 0; c < columns; ++c) {
    for (Index j = 0; j < variables(); ++j) {
      out[c][j] = lines[2 * kBlockColumns * j + kBlockColumns + c] -
                  sums[c] * means_[j];  // zero but for rounding
    }
  }
}

void SparseCovariance::do_multiply_block(const Matrix& v, Matrix& out) const {
  out.resize(variables(), v.cols());
  for (Index begin = 0; begin < v.cols(); begin += kBlockColumns) {
    // The last block may have fewer columns; the lines then hold zeros in their place.
    const Index columns = std::min(kBlockColumns, v.cols() - begin);
    const double* in[kBlockColumns] = {};
    double* results[kBlockColumns] = {};
    for (Index c = 0; c < columns; ++c) {
      in[c] = v.col(begin + c).data();
      results[c] = out.col(begin + c).data();
    }
    multiply_four(in, columns, results);
  }
}

/// S v = scale * (X'X v - n m m'v). Here the scores are not centred: centred ones would be nonzero
/// in all n rows, also in those that v does not touch.
void SparseCovariance::do_multiply(const Component& v, Vector& out) const {
  Workspace& workspace = thread_workspace(samples());
  collect_scores(v, workspace);
  out.setZero(variables());
  const int* const starts = rows_.outerIndexPtr();
  const int* const indices = rows_.innerIndexPtr();
  const double* const values = rows_.valuePtr();
  for (const int row : workspace.touched) {
    const double score = scale_ * workspace.scores[static_cast<std::size_t>(row)];
    sparse_add(score, values + starts[row], indices + starts[row], starts[row + 1] - starts[row],
               out.data());
    // Restores the zeros on the way, so that the next use need not clear n entries.
    workspace.scores[static_cast<std::size_t>(row)] = 0;
    workspace.seen[static_cast<std::size_t>(row)] = 0;
  }
  if (form_.centered) {
    out -= (scale_ * static_cast<double>(samples()) * mean_of(v)) * means_;
  }
}

/// S e_j, one by one: a product with one variable touches only the rows in which it occurs.
Matrix SparseCovariance::columns(const Support& support) const {
  Matrix result(variables(), static_cast<Index>(support.size()));
  Component unit{.support = {0}, .values = Vector::Ones(1)};
  Vector column;
  for (std::size_t j = 0; j < support.size(); ++j) {
    unit.support[0] = support[j];
    do_multiply(unit, column);
    result.col(static_cast<Index>(j)) = column;
  }
  return result;
}

/// v'Sv = scale * sum_i (x_i'v - m'v)^2. The rows that v does not touch have the score 0, and add
/// (m'v)^2 each.
double SparseCovariance::quadratic_form(const Component& v) const {
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

Matrix SparseCovariance::submatrix(const Support& support) const {
  // The selected entries by rows: a row with c of them costs c^2 / 2, whatever its length in X.
  struct Entry {
    int row;
    int column;
    double value;
  };
  std::vector<Entry> entries;
  for (std::size_t a = 0; a < support.size(); ++a) {
    for (SparseColumns::InnerIterator entry(columns_, support[a]); entry; ++entry) {
      entries.push_back({static_cast<int>(entry.row()), static_cast<int>(a), entry.value()});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.row < b.row || (a.row == b.row && a.column < b.column);
  });
  const Index k = std::ssize(support);
  Matrix result = Matrix::Zero(k, k);
  for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    for (end = begin; end < entries.size() && entries[end].row == entries[begin].row; ++end) {
      for (std::size_t other = begin; other < end; ++other) {
        result(entries[end].column, entries[other].column) +=
            entries[end].value * entries[other].value;
      }
    }
  }
  const double n = static_cast<double>(samples());
  const Vector means = means_(support);
  for (Index b = 0; b < k; ++b) {
    // The diagonal comes from the two-pass formula, which does not cancel.
    result(b, b) = diagonal_[support[static_cast<std::size_t>(b)]];
    for (Index a = b + 1; a < k; ++a) {
      result(a, b) = result(b, a) = scale_ * (result(a, b) - n * means[a] * means[b]);
    }
  }
  return result;
}

/// G = scale * (X - 1m')(X - 1m')' = scale * (XX' - (Xm)1' - 1(Xm)' + m'm 11'). Only the lower
/// triangle is computed and then mirrored. XX' is the sum over the columns of x_j x_j'. The
/// nonzeros of a column come by ascending row, and so `second`, from `first` on, stays in the
/// triangle.
Matrix SparseCovariance::compute_gram() const {
  Matrix gram = Matrix::Zero(samples(), samples());
  for (Index j = 0; j < variables(); ++j) {
    for (SparseColumns::InnerIterator first(columns_, j); first; ++first) {
      double* const column = gram.col(first.row()).data();
      const double value = first.value();
      for (SparseColumns::InnerIterator second = first; second; ++second) {
        column[second.row()] += value * second.value();
      }
    }
  }
  if (form_.centered) {
    const Vector shift = rows_ * means_;
    const double constant = means_.squaredNorm();
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
  Vector result = rows_.transpose() * u;
  if (form_.centered) {
    result -= u.sum() * means_;
  }
  return std::sqrt(scale_) * result;
}

/// sqrt(scale) (Xv - 1 m'v), dense: after centring every sample has a score.
Vector SparseCovariance::data_product(const Component& v) const {
  Vector scores = Vector::Constant(samples(), -mean_of(v));
  for (Index i = 0; i < v.cardinality(); ++i) {
    const Index j = v.support[static_cast<std::size_t>(i)];
    for (SparseColumns::InnerIterator entry(columns_, j); entry; ++entry) {
      scores[entry.row()] += v.values[i] * entry.value();
    }
  }
  return std::sqrt(scale_) * scores;
}

/// ||x_i - m||^2 = ||m||^2 + sum over the nonzeros of x (x - 2 m_j). Rounding may leave less than
/// zero.
Vector SparseCovariance::squared_sample_norms() const {
  Vector norms = Vector::Constant(samples(), means_.squaredNorm());
  for (Index i = 0; i < samples(); ++i) {
    for (MappedRows::InnerIterator entry(rows_, i); entry; ++entry) {
      norms[i] += entry.value() * (entry.value() - 2 * means_[entry.col()]);
    }
  }
  return scale_ * norms.cwiseMax(0.0);
}

/// The samples in the order given. X was kept as it came, without centring or scale, and so they
/// can be selected as they are.
std::shared_ptr<const Covariance> SparseCovariance::of_samples(
    const std::vector<Index>& samples) const {
  const int* const starts = rows_.outerIndexPtr();
  Index nonzeros = 0;
  for (const Index i : samples) {
    nonzeros += starts[i + 1] - starts[i];
  }
  SparseRows selected(static_cast<Index>(samples.size()), variables());
  // Counted first, because a sparse matrix that grows is copied again and again.
  selected.reserve(nonzeros);
  for (std::size_t row = 0; row < samples.size(); ++row) {
    selected.startVec(static_cast<Index>(row));
    for (MappedRows::InnerIterator entry(rows_, samples[row]); entry; ++entry) {
      selected.insertBack(static_cast<Index>(row), entry.col()) = entry.value();
    }
  }
  selected.finalize();
  return make_covariance(selected.markAsRValue(), form_);
}

}  // namespace

std::shared_ptr<const Covariance> make_covariance(SparseRows data, DataForm form) {
  // Eigen 3.4 has no move for sparse matrices. Only a matrix that is marked is swapped and not
  // copied.
  const auto rows = std::make_shared<SparseRows>(data.markAsRValue());
  rows->makeCompressed();
  return make_mapped_covariance({rows->rows(), rows->cols(), rows->nonZeros(),
                                 rows->outerIndexPtr(), rows->innerIndexPtr(), rows->valuePtr()},
                                rows, form);
}

std::shared_ptr<const Covariance> make_mapped_covariance(const Eigen::Map<const SparseRows>& data,
                                                         std::shared_ptr<const void> owner,
                                                         DataForm form) {
  return std::make_shared<SparseCovariance>(data, std::move(owner), form);
}

}  // namespace spca

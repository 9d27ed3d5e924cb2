#include "spca/measure/permuted_columns.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_sparse.h"

namespace spca {
namespace {

/// The rows 0 ... n - 1, in an order whose first entries are drawn again for each column. Any order
/// may be the one before a draw, so a column costs only as many swaps as it has entries.
class RowOrder {
 public:
  RowOrder(Index n, std::uint64_t seed) : random_(seed), rows_(static_cast<std::size_t>(n)) {
    std::iota(rows_.begin(), rows_.end(), 0);
  }

  /// Returns the order after a draw of its first `count` rows.
  const std::vector<int>& draw(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto other = i + static_cast<std::size_t>(random_.below(rows_.size() - i));
      std::swap(rows_[i], rows_[other]);
    }
    return rows_;
  }

 private:
  Random random_;
  std::vector<int> rows_;
};

std::size_t at(std::int64_t position) { return static_cast<std::size_t>(position); }

}  // namespace

PermutedColumns::PermutedColumns(const Covariance& covariance)
    : samples_(covariance.samples()), variables_(covariance.variables()) {
  view_ = data_of(covariance);
  if (view_) {
    if (view_->rows != nullptr) {
      read_columns();
    }
    if (std::ssize(columns_.values) > std::numeric_limits<int>::max()) {
      view_ = std::nullopt;
    }
  }
}

void PermutedColumns::read_columns() {
  const SparseArrays& rows = *view_->rows;
  std::vector<std::int64_t>& starts = columns_.starts;
  starts.assign(at(variables_ + 1), 0);
  for (std::int64_t entry = rows.starts[0]; entry < rows.starts[rows.lines]; ++entry) {
    ++starts[at(rows.indices[entry] + 1)];
  }
  const auto shift_of = [&](Index j) { return view_->shifts != nullptr ? (*view_->shifts)[j] : 0; };
  for (Index j = 0; j < variables_; ++j) {
    // A column x that is stored as x - c, c != 0, has almost no zeros: an entry for every row.
    const std::int64_t count = shift_of(j) != 0 ? samples_ : starts[at(j + 1)];
    starts[at(j + 1)] = starts[at(j)] + count;
  }
  columns_.values.assign(at(starts.back()), 0.0);
  for (Index j = 0; j < variables_; ++j) {
    std::fill(columns_.values.begin() + starts[at(j)], columns_.values.begin() + starts[at(j + 1)],
              shift_of(j));
  }
  std::vector<std::int64_t> next(starts.begin(), starts.end() - 1);
  for (std::int64_t entry = rows.starts[0]; entry < rows.starts[rows.lines]; ++entry) {
    columns_.values[at(next[at(rows.indices[entry])]++)] += rows.values[entry];
  }
}

std::shared_ptr<const Covariance> PermutedColumns::draw(std::uint64_t seed) const {
  SPCA_CHECK(is_possible(), "a permutation of data that are not held");
  if (view_->dense != nullptr) {
    return draw_dense(seed);
  }
  return view_->rows != nullptr ? draw_sparse(seed) : draw_genotypes(seed);
}

std::shared_ptr<const Covariance> PermutedColumns::draw_dense(std::uint64_t seed) const {
  const Matrix& data = *view_->dense;
  Matrix permuted(samples_, variables_);
  RowOrder order(samples_, seed);
  for (Index j = 0; j < variables_; ++j) {
    const std::vector<int>& rows = order.draw(at(samples_));
    for (Index i = 0; i < samples_; ++i) {
      permuted(i, j) = data(rows[at(i)], j);
    }
  }
  // The columns are centred and scaled already, and stay so.
  return make_covariance(std::move(permuted), {.centered = false, .scale = Scale::kNone});
}

std::shared_ptr<const Covariance> PermutedColumns::draw_sparse(std::uint64_t seed) const {
  const std::vector<std::int64_t>& starts = columns_.starts;
  std::vector<int> row_of(columns_.values.size());
  SparseRows permuted(samples_, variables_);
  permuted.resizeNonZeros(static_cast<Index>(columns_.values.size()));
  int* const row_starts = permuted.outerIndexPtr();
  std::fill_n(row_starts, samples_ + 1, 0);
  RowOrder order(samples_, seed);
  for (Index j = 0; j < variables_; ++j) {
    const std::size_t begin = at(starts[at(j)]), count = at(starts[at(j + 1)]) - begin;
    const std::vector<int>& rows = order.draw(count);
    for (std::size_t e = 0; e < count; ++e) {
      row_of[begin + e] = rows[e];
      ++row_starts[rows[e] + 1];
    }
  }
  std::partial_sum(row_starts, row_starts + samples_ + 1, row_starts);
  std::vector<int> next(row_starts, row_starts + samples_);
  // Columns are visited in turn, so that the indices of each row ascend.
  for (Index j = 0; j < variables_; ++j) {
    for (std::int64_t e = starts[at(j)]; e < starts[at(j + 1)]; ++e) {
      const int position = next[at(row_of[at(e)])]++;
      permuted.innerIndexPtr()[position] = static_cast<int>(j);
      permuted.valuePtr()[position] = columns_.values[at(e)];
    }
  }
  return make_covariance(permuted.markAsRValue(), view_->form);
}

std::shared_ptr<const Covariance> PermutedColumns::draw_genotypes(std::uint64_t seed) const {
  const Genotypes& genotypes = *view_->genotypes;
  const Index bytes = genotypes.variant_bytes();
  const auto memory =
      std::make_shared<std::vector<std::uint8_t>>(at(bytes * variables_), std::uint8_t{0});
  RowOrder order(samples_, seed);
  for (Index j = 0; j < variables_; ++j) {
    const std::vector<int>& rows = order.draw(at(samples_));
    for (Index i = 0; i < samples_; ++i) {
      const unsigned code = genotype_code(genotypes.variant(j), rows[at(i)]) << (2 * (i % 4));
      std::uint8_t& byte = (*memory)[at(j * bytes + i / 4)];
      byte = static_cast<std::uint8_t>(byte | code);
    }
  }
  Genotypes permuted;
  permuted.samples = samples_;
  permuted.variants = variables_;
  permuted.bytes = memory->data();
  permuted.counts = genotypes.counts;
  permuted.memory = memory;
  return make_covariance(std::move(permuted), view_->form.scale);
}

}  // namespace spca

#include "spca/methods/bounds/dense_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "spca/base/parallel.h"
#include "spca/methods/bounds/largest_entries.h"

namespace spca {
namespace {

using SingleMatrix = Eigen::MatrixXf;

// Number of variables of a tile, and of rows of a block. The two blocks of a product take 4 MB
// each, and their conversion about a sixth of the time of the product
// (bench/notes/2026-11-27-dense-squares.md).
constexpr Index kTile = 512;
constexpr Index kBlockRows = 2048;
// Number of pairs of tiles for each thread between two calls of keep_going. Chosen by trial, not
// measured.
constexpr std::size_t kTilesAtATime = 2;
// The rounding of a product of two columns of length 1, and a hundredth more for the lengths.
constexpr double kUnit = 0.5 * std::numeric_limits<float>::epsilon();
constexpr double kTerms = (kBlockRows + 2) * kUnit;
constexpr double kUnitProductRounding = 1.01 * kTerms / (1 - kTerms);
// Exceeds the rounding of the squares and of their sum.
constexpr double kSumRounding = 1e-10;

/// The columns of `variables`, scaled to length 1, a tile at a time.
class UnitColumns {
 public:
  UnitColumns(const Matrix& data, const Support& variables)
      : data_(data), variables_(variables), lengths_(std::ssize(variables)) {
    for (Index t = 0; t < lengths_.size(); ++t) {
      lengths_[t] = data.col(variables[static_cast<std::size_t>(t)]).stableNorm();
    }
  }

  Index tiles() const { return (lengths_.size() + kTile - 1) / kTile; }
  Index begin(Index tile) const { return tile * kTile; }
  Index size(Index tile) const { return std::min(kTile, lengths_.size() - begin(tile)); }
  double length(Index position) const { return lengths_[position]; }

  /// The products r~ of the columns of two tiles.
  Matrix products(Index left, Index right) const {
    Matrix sum = Matrix::Zero(size(left), size(right));
    SingleMatrix left_block;
    SingleMatrix right_block;
    SingleMatrix product;
    for (Index row = 0; row < data_.rows(); row += kBlockRows) {
      const Index rows = std::min(kBlockRows, data_.rows() - row);
      copy(left, row, rows, left_block);
      if (left != right) {
        copy(right, row, rows, right_block);
      }
      product.noalias() = left_block.transpose() * (left == right ? left_block : right_block);
      sum += product.cast<double>();
    }
    return sum;
  }

 private:
  void copy(Index tile, Index row, Index rows, SingleMatrix& block) const {
    block.resize(rows, size(tile));
    for (Index t = 0; t < block.cols(); ++t) {
      const Index position = begin(tile) + t;
      const auto column =
          data_.col(variables_[static_cast<std::size_t>(position)]).segment(row, rows);
      if (lengths_[position] > 0) {
        block.col(t) = (column / lengths_[position]).cast<float>();
      } else {
        block.col(t).setZero();
      }
    }
  }

  const Matrix& data_;
  const Support& variables_;
  Vector lengths_;
};

/// Adds the bounds on S_ij^2 from the product of two tiles to the lists of i and j.
void add_squares(const UnitColumns& columns, Index left, Index right, const Matrix& products,
                 LargestEntries& largest) {
  for (Index b = 0; b < products.cols(); ++b) {
    const Index j = columns.begin(right) + b;
    for (Index a = 0; a < products.rows(); ++a) {
      const Index i = columns.begin(left) + a;
      if (i == j) {
        continue;
      }
      const double bound =
          columns.length(i) * columns.length(j) * (std::abs(products(a, b)) + kUnitProductRounding);
      largest.observe(j, bound * bound);
      if (left != right) {
        largest.observe(i, bound * bound);
      }
    }
  }
}

}  // namespace

std::vector<double> bound_largest_squares(const Matrix& data, const Support& variables, Index count,
                                          const std::function<bool()>& keep_going) {
  const UnitColumns columns(data, variables);
  LargestEntries largest(count, std::ssize(variables));
  std::vector<std::pair<Index, Index>> tiles;
  for (Index left = 0; left < columns.tiles(); ++left) {
    for (Index right = left; right < columns.tiles(); ++right) {
      tiles.emplace_back(left, right);
    }
  }
  const int threads = allowed_threads();
  const std::size_t at_a_time = kTilesAtATime * static_cast<std::size_t>(threads);
  for (std::size_t begin = 0; begin < tiles.size(); begin += at_a_time) {
    if (!keep_going()) {
      return {};
    }
    const std::size_t end = std::min(begin + at_a_time, tiles.size());
    std::vector<Matrix> products(end - begin);
    parallel_for(products.size(), threads, [&](std::size_t t) {
      products[t] = columns.products(tiles[begin + t].first, tiles[begin + t].second);
    });
    for (std::size_t t = 0; t < products.size(); ++t) {
      add_squares(columns, tiles[begin + t].first, tiles[begin + t].second, products[t], largest);
    }
  }
  if (count == 0) {
    return std::vector<double>(variables.size(), 0.0);
  }
  const Vector total = std::move(largest).sums().row(count - 1) * (1 + kSumRounding);
  return {total.begin(), total.end()};
}

}  // namespace spca

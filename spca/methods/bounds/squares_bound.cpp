#include "spca/methods/bounds/squares_bound.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "spca/covariance/columns_at_a_time.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"

namespace spca {
namespace {

// c is at most this share of the value on the support.
constexpr double kMostOfValue = 0.9;
// Exceeds the rounding of the sums of squares.
constexpr double kRoundingOfSquares = 1e-10;

}  // namespace

double squares_shift(const Covariance& covariance, const Support& support) {
  const Index k = std::ssize(support);
  if (k < 2) {
    return 0;
  }
  const Vector values = symmetric_eigenvalues(covariance.submatrix(support));
  return std::clamp(values.head(k - 1).mean(), 0.0, kMostOfValue * std::max(values[k - 1], 0.0));
}

SquaresBound::SquaresBound(const Covariance& covariance, const Support& support)
    : covariance_(covariance),
      k_(std::ssize(support)),
      shift_(squares_shift(covariance, support)) {}

void SquaresBound::advance(int blocks) {
  const Index p = covariance_.variables();
  const auto partners = static_cast<std::size_t>(k_ - 1);
  std::vector<double> largest;  // squares, a heap with the least on top
  for (int b = 0; b < blocks && !is_complete(); ++b) {
    const Index begin = std::ssize(worth_);
    Support block(
        static_cast<std::size_t>(std::min(static_cast<Index>(kColumnsAtATime), p - begin)));
    std::iota(block.begin(), block.end(), begin);
    const Matrix columns = covariance_.columns(block);
    for (Index t = 0; t < columns.cols(); ++t) {
      const Index j = begin + t;
      const double* column = columns.col(t).data();
      largest.assign(partners, 0.0);
      double least = 0;
      for (Index i = 0; i < p && partners > 0; ++i) {
        const double square = column[i] * column[i];
        if (square > least && i != j) {
          std::pop_heap(largest.begin(), largest.end(), std::greater<>());
          largest.back() = square;
          std::push_heap(largest.begin(), largest.end(), std::greater<>());
          least = largest.front();
        }
      }
      const double own = column[j] - shift_;
      worth_.push_back(std::accumulate(largest.begin(), largest.end(), own * own));
    }
  }
}

double SquaresBound::bound() const {
  if (!is_complete()) {
    return std::numeric_limits<double>::infinity();
  }
  std::vector<double> sorted = worth_;
  const double sum = sum_of_largest(sorted, k_);
  return (shift_ + std::sqrt(sum)) * (1 + kRoundingOfSquares);
}

}  // namespace spca

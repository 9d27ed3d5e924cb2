#include "spca/methods/packing/row_bound.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spca/algebra/dense_decompositions.h"
#include "spca/algebra/dense_products.h"
#include "spca/methods/packing/fantope_projection.h"
#include "spca/methods/packing/row_projection.h"

namespace spca {
namespace {

// The weight of the distance of Y and its rows, over the largest eigenvalue of S. It is changed while
// one residual is so many times the other, at first.
constexpr double kFirstWeight = 0.25;
constexpr double kUnlike = 4;
constexpr double kWeightChange = 1.4;
constexpr int kLastWeightChange = 100;
// A step goes so many times as far as to Y.
constexpr double kRelaxation = 1.7;
// (1) is computed after so many steps. If so many values in a row are not less by this share than
// the one before them, the search ends.
constexpr int kStepsABound = 10;
constexpr int kPatience = 4;
constexpr double kSmallestFall = 2e-4;
constexpr int kMostRowSteps = 600;
// The first price of a place, over the largest eigenvalue shared among all, and the power of e by
// which the excess over K raises it.
constexpr double kFirstPrice = 0.03;
constexpr double kPriceStep = 0.3;
// Of the lengths of M and G, times p.
constexpr double kRounding = 1e-15;

struct Sizes {
  explicit Sizes(const std::vector<Index>& cardinality)
      : k(*std::max_element(cardinality.begin(), cardinality.end())),
        places(std::accumulate(cardinality.begin(), cardinality.end(), Index{0})),
        r(std::ssize(cardinality)) {}
  Index k;       // the largest
  Index places;  // K
  Index r;
};

double sum_of_largest(std::vector<double> values, Index count) {
  const auto end = values.begin() + std::min(count, std::ssize(values));
  std::partial_sort(values.begin(), end, values.end(), std::greater<>());
  return std::accumulate(values.begin(), end, 0.0);
}

/// w of the variables that are no part of S. `own`: lambda_r(M); `least`: t. What one of them may
/// have in common with another is less than its standard deviation and the largest one.
void add_outside_worths(const OutsideVariables& outside, const Vector& variances, double own,
                        const Vector& least, const Sizes& sizes, std::vector<double>& worths) {
  double largest = -1;  // of the variances
  double last = 0;
  const auto count = static_cast<std::size_t>(sizes.k - 1);
  std::vector<double> squares;
  outside.visit(variances, [&](double variance, const Vector& entries) {
    largest = std::max(largest, variance);
    const Vector left = (2 * entries - least).cwiseMax(0.0).cwiseAbs2();
    squares.assign(left.begin(), left.end());
    squares.insert(squares.end(), count, variance * largest);
    std::nth_element(squares.begin(), squares.begin() + static_cast<std::ptrdiff_t>(count),
                     squares.end(), std::greater<>());
    last = row_worth(variance - own,
                     std::accumulate(squares.begin(),
                                     squares.begin() + static_cast<std::ptrdiff_t>(count), 0.0));
    worths.push_back(last);
  });
  worths.insert(worths.end(), static_cast<std::size_t>(sizes.places), last);
}

double bound_at(const Matrix& matrix, const Sizes& sizes, const OutsideVariables& outside,
                const Matrix& rows) {
  const Index p = matrix.rows();
  const Matrix m = matrix - symmetric_part(rows);
  const Vector eigenvalues = symmetric_eigenvalues(m);
  std::vector<double> worths;
  Vector least(p);
  for (Index i = 0; i < p; ++i) {
    const RowCost cost = row_cost(rows.col(i), i, sizes.k);
    worths.push_back(cost.worth);
    least[i] = cost.least;
  }
  if (!outside.is_empty()) {
    add_outside_worths(outside, matrix.diagonal(), eigenvalues[p - sizes.r], least, sizes, worths);
  }
  const double rounding = kRounding * static_cast<double>(p) * (m.norm() + rows.norm());
  return eigenvalues.tail(sizes.r).sum() + sum_of_largest(std::move(worths), sizes.places) +
         static_cast<double>(sizes.r) * rounding;
}

/// Alternating directions.
class RowSearch {
 public:
  RowSearch(const Matrix& matrix, const Sizes& sizes)
      : matrix_(matrix),
        sizes_(sizes),
        fantope_(matrix.rows(), sizes.r),
        projection_(matrix.rows(), sizes.k),
        image_(Matrix::Zero(matrix.rows(), matrix.rows())),
        rest_(image_) {
    const double largest = symmetric_eigenvalues(matrix)[matrix.rows() - 1];
    weight_ = kFirstWeight * largest;
    price_ = kFirstPrice * largest / static_cast<double>(sizes.places);
  }

  void step() {
    const Matrix y = fantope_.project(symmetric_part(image_ - rest_) + matrix_ / weight_);
    const Matrix last = image_;
    rest_ += kRelaxation * y + (1 - kRelaxation) * image_;
    double taken = 0;
    for (Index i = 0; i < y.rows(); ++i) {
      taken += projection_.project(rest_.col(i), i, price_ / weight_, image_.col(i));
    }
    rest_ -= image_;
    const double excess = taken / static_cast<double>(sizes_.places) - 1;
    price_ *= std::exp(kPriceStep * std::min(excess, 1.0));
    apart_ = (y - image_).norm();
    moved_ = (image_ - last).norm();
  }

  /// So that both residuals become alike.
  void change_weight() {
    const double factor = apart_ > kUnlike * moved_   ? kWeightChange
                          : moved_ > kUnlike * apart_ ? 1 / kWeightChange
                                                      : 1;
    weight_ *= factor;
    rest_ /= factor;
  }

  Matrix rows() const { return weight_ * rest_; }

 private:
  const Matrix& matrix_;
  const Sizes& sizes_;
  FantopeProjection fantope_;
  RowProjection projection_;
  Matrix image_;  // row i of what Y is to be is column i
  Matrix rest_;   // G' / weight
  double weight_ = 0;
  double price_ = 0;
  double apart_ = 0;
  double moved_ = 0;
};

}  // namespace

RowBound row_bound(const Matrix& matrix, const std::vector<Index>& cardinality,
                   const OutsideVariables& outside, double enough,
                   const std::function<bool()>& keep_going) {
  RowBound best;
  if (!(matrix.diagonal().maxCoeff() > 0)) {
    return best;
  }
  const Sizes sizes(cardinality);
  RowSearch search(matrix, sizes);
  double notable = std::numeric_limits<double>::infinity();
  int waited = 0;
  for (int step = 1; step <= kMostRowSteps && waited < kPatience && keep_going(); ++step) {
    search.step();
    if (step % kStepsABound != 0) {
      continue;
    }
    Matrix rows = search.rows();
    const double bound = bound_at(matrix, sizes, outside, rows);
    if (bound < best.value) {
      best = {.value = bound, .rows = std::move(rows)};
    }
    if (best.value <= enough) {
      break;
    }
    ++waited;
    if (best.value < notable * (1 - kSmallestFall)) {
      notable = best.value;
      waited = 0;
    }
    if (step < kLastWeightChange) {
      search.change_weight();
    }
  }
  return best;
}

double row_bound_at(const Matrix& matrix, const std::vector<Index>& cardinality,
                    const OutsideVariables& outside, const Matrix& rows) {
  return rows.rows() == matrix.rows() && rows.cols() == matrix.cols() && rows.allFinite()
             ? bound_at(matrix, Sizes(cardinality), outside, rows)
             : std::numeric_limits<double>::infinity();
}

}  // namespace spca

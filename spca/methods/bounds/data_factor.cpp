#include "spca/methods/bounds/data_factor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "spca/covariance/covariance_dense.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_exchange.h"
#include "spca/methods/relaxations/cardinality_relaxation.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

// The rounding error of S - A'A, relative to the largest variance. S and A'A are computed from the
// same data.
constexpr double kDataRounding = 1e-12;

// The limits of effort below were chosen by trial, not measured.

// At most this number of multiplications, n^2 per variable, to form HH': about a second.
constexpr double kMostDenseWork = 2e9;
// At most this number of steps in an ascent.
constexpr int kMostAscentSteps = 40;
// Number of columns of a given S per matrix product; the clock is checked between products.
constexpr Index kColumnsOfProduct = 64;

/// The columns of A for some variables, available only through products: they are not formed.
class DataColumns final : public RelaxationColumns {
 public:
  DataColumns(const Covariance& covariance, const std::vector<int>& variables, double length)
      : covariance_(covariance), length_(length), order_(variables.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return variables[a] < variables[b]; });
    for (const std::size_t i : order_) {
      sorted_.push_back(variables[i]);
    }
  }

  Index dimension() const override { return covariance_.samples(); }
  Index count() const override { return std::ssize(sorted_); }
  Vector squared_lengths() const override {
    Vector lengths(count());
    for (std::size_t t = 0; t < order_.size(); ++t) {
      lengths[static_cast<Index>(order_[t])] =
          covariance_.diagonal()[sorted_[t]] / (length_ * length_);
    }
    return lengths;
  }
  Matrix transposed_times(const Matrix& u) const override {
    Matrix result(count(), u.cols());
    for (Index j = 0; j < u.cols(); ++j) {
      const Vector product = covariance_.transpose_product(u.col(j)) / length_;
      for (std::size_t t = 0; t < order_.size(); ++t) {
        result(static_cast<Index>(order_[t]), j) = product[sorted_[t]];
      }
    }
    return result;
  }
  Matrix times(const Matrix& w) const override {
    Matrix result(dimension(), w.cols());
    Component v{.support = sorted_, .values = Vector(count())};
    for (Index j = 0; j < w.cols(); ++j) {
      for (std::size_t t = 0; t < order_.size(); ++t) {
        v.values[static_cast<Index>(t)] = w(static_cast<Index>(order_[t]), j);
      }
      result.col(j) = covariance_.data_product(v) / length_;
    }
    return result;
  }

 private:
  const Covariance& covariance_;
  double length_;
  std::vector<std::size_t> order_;  // sorted_[t] is at position order_[t] in the given variables
  Support sorted_;
};

}  // namespace

DataFactor::DataFactor(const Covariance& covariance, double max_entries)
    : covariance_(covariance), max_entries_(max_entries) {
  unit_ = covariance.diagonal().maxCoeff();
  excess_ = kDataRounding;
}

DataFactor::DataFactor(std::shared_ptr<const Covariance> rows, double excess, double max_entries)
    : rows_(std::move(rows)), covariance_(*rows_), max_entries_(max_entries) {
  unit_ = covariance_.diagonal().maxCoeff();
  excess_ = excess / unit_ + kDataRounding;
}

std::shared_ptr<const RelaxationColumns> DataFactor::columns(
    const std::vector<int>& variables) const {
  const auto n = static_cast<double>(dimension());
  const double entries = n * static_cast<double>(variables.size());
  if (dimension() > kLargestSettled || entries > max_entries_ || n * entries > kMostDenseWork) {
    return std::make_shared<const DataColumns>(covariance_, variables, std::sqrt(unit_));
  }
  return std::make_shared<const DenseColumns>(formed(Support(variables.begin(), variables.end())));
}

Matrix DataFactor::formed(const Support& variables) const {
  Matrix columns(dimension(), std::ssize(variables));
  for (std::size_t j = 0; j < variables.size(); ++j) {
    columns.col(static_cast<Index>(j)) = covariance_.data_product(
        {.support = {variables[j]}, .values = Vector::Constant(1, 1 / std::sqrt(unit_))});
  }
  return columns;
}

Vector DataFactor::products(const Vector& x) const {
  return covariance_.transpose_product(x) / std::sqrt(unit_);
}

namespace {

/// Returns A, rank x p, by Cholesky with pivots, from the columns of S; empty if `keep_going`
/// returns false.
Matrix factor_rows(const Covariance& covariance, const std::function<bool()>& keep_going) {
  constexpr Index kFirstCapacity = 64;
  const Index p = covariance.variables();
  Vector residual = covariance.diagonal();
  const double negligible =
      static_cast<double>(p) * std::numeric_limits<double>::epsilon() * residual.maxCoeff();
  Matrix rows(p, std::min(kFirstCapacity, p));  // transposed
  Index rank = 0;
  for (; rank < p; ++rank) {
    Index pivot = 0;
    const double heaviest = residual.maxCoeff(&pivot);
    if (!(heaviest > negligible)) {
      break;
    }
    if (!keep_going()) {
      return {};
    }
    if (rank == rows.cols()) {
      rows.conservativeResize(Eigen::NoChange, std::min(2 * rank, p));
    }
    rows.col(rank) = (covariance.columns({pivot}).col(0) - times_own_row(rows, pivot, rank)) /
                     std::sqrt(heaviest);
    residual -= rows.col(rank).cwiseAbs2();
    residual[pivot] = 0;
  }
  return rows.leftCols(rank).transpose();
}

/// Returns ||S - A'A||_F, an upper bound on the eigenvalues of every principal submatrix of
/// S - A'A; infinity if `keep_going` returns false.
double rest_of(const Covariance& covariance, const Matrix& factor,
               const std::function<bool()>& keep_going) {
  const Index p = covariance.variables();
  double squares = 0;
  for (Index begin = 0; begin < p; begin += kColumnsOfProduct) {
    if (!keep_going()) {
      return std::numeric_limits<double>::infinity();
    }
    Support block(static_cast<std::size_t>(std::min(kColumnsOfProduct, p - begin)));
    std::iota(block.begin(), block.end(), begin);
    squares += (covariance.columns(block) -
                transposed_product(factor, factor.middleCols(begin, std::ssize(block))))
                   .squaredNorm();
  }
  return std::sqrt(squares);
}

}  // namespace

std::unique_ptr<DataFactor> factor_beyond(const Covariance& covariance, double max_entries,
                                          const std::function<bool()>& keep_going) {
  if (covariance.has_data_form()) {
    return std::make_unique<DataFactor>(covariance, max_entries);
  }
  if (covariance.variables() > kMostFactored || !(covariance.diagonal().maxCoeff() > 0)) {
    return nullptr;
  }
  Matrix rows = factor_rows(covariance, keep_going);
  if (rows.size() == 0) {
    return nullptr;
  }
  const double excess = rest_of(covariance, rows, keep_going);
  if (!std::isfinite(excess)) {
    return nullptr;
  }
  return std::make_unique<DataFactor>(
      make_covariance(std::move(rows), {.centered = false, .scale = Scale::kNone}), excess,
      max_entries);
}

void BestByProducts::consider(const Support& support) {
  const SupportOptimum found = best_on_support(covariance_, support);
  if (found.value > value_ * (1 + kSmallestRise)) {
    value_ = found.value;
    support_ = support;
  }
}

void BestByProducts::ascend(const Vector& w) {
  Vector product = w;
  Support support;
  for (int step = 0; step < kMostAscentSteps; ++step) {
    Support next = top_k(product, k_);
    if (next == support) {
      break;
    }
    support = std::move(next);
    const SupportOptimum found = best_on_support(covariance_, support);
    if (found.component.support.empty()) {
      return;
    }
    if (found.value > value_ * (1 + kSmallestRise)) {
      value_ = found.value;
      support_ = support;
    }
    covariance_.multiply(found.component, product);
  }
}

}  // namespace spca

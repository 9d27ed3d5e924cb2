#include "spca/methods/ascent/power_starts.h"

#include <algorithm>
#include <cmath>

#include "spca/dense/dense_products.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/truncated_power.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

// At most this number of entries of X are read to find the heaviest rows: a fraction of a second.
constexpr double kLargestRowScan = 2e8;

}  // namespace

Component uniform_on(Support support) {
  const auto size = static_cast<Index>(support.size());
  return {.support = std::move(support),
          .values = Vector::Constant(size, 1 / std::sqrt(static_cast<double>(size)))};
}

Component truncated_eigenvector(const Covariance& covariance, Index k) {
  // As in threshold.cpp: an iterative eigensolver leaves rounding in the zeros that a deflation
  // made.
  const Vector loadings =
      (covariance.diagonal().array() > 0)
          .select(leading_eigenpairs(covariance, 1, Exact::kPairs, Copies::kAny).vectors.col(0),
                  0.0);
  return truncated(loadings, k);
}

std::vector<Component> heaviest_rows(const Covariance& covariance, Index k, Index count) {
  const Index n = covariance.samples();
  const double entries = static_cast<double>(n) * static_cast<double>(covariance.variables());
  if (!covariance.has_data_form() || entries > kLargestRowScan) {
    return {};
  }
  std::vector<Component> starts;
  for (const Index i : top_k(covariance.squared_sample_norms(), std::min(count, n))) {
    Component start = truncated(covariance.transpose_product(Vector::Unit(n, i)), k);
    if (!start.support.empty()) {
      starts.push_back(std::move(start));
    }
  }
  return starts;
}

std::vector<Component> factor_rows(const Covariance& covariance, Index k, Index first,
                                   Index count) {
  const Index most = std::min(count, covariance.variables());
  Vector residual = covariance.diagonal();
  Matrix rows(covariance.variables(), most);
  std::vector<Component> starts;
  for (Index t = 0; t < most; ++t) {
    Index pivot = first;
    const double heaviest = t == 0 ? residual[first] : residual.maxCoeff(&pivot);
    if (!(heaviest > 0)) {
      break;
    }
    rows.col(t) =
        (covariance.columns({pivot}).col(0) - times_own_row(rows, pivot, t)) / std::sqrt(heaviest);
    residual -= rows.col(t).cwiseAbs2();
    residual(pivot) = 0;
    starts.push_back(truncated(rows.col(t), k));
  }
  return starts;
}

std::vector<Index> path_cardinalities(Index k, Index p) {
  std::vector<Index> cardinalities;
  for (Index m = std::min(kPathFactor * k, p); m > k; m = std::max(m / 2, k)) {
    cardinalities.push_back(m);
  }
  return cardinalities;
}

Index ColumnStarts::largest_variance() {
  const Support tied = variables_of_largest_variance(covariance_);
  if (tied.size() == 1) {
    return tied.front();
  }
  for (const ColumnStart& start : columns()) {
    if (std::binary_search(tied.begin(), tied.end(), start.variable)) {
      return start.variable;
    }
  }
  return tied.front();
}

const std::vector<ColumnStart>& ColumnStarts::columns() {
  if (columns_.empty()) {
    columns_ = best_columns(covariance_, k_, count_);
  }
  return columns_;
}

}  // namespace spca

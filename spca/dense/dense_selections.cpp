#include "spca/dense/dense_selections.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace spca {

std::vector<Index> all_variables(Index count) {
  std::vector<Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

std::vector<int> all_candidates(Index count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

double kth_largest(std::span<double> values, Index k) {
  const auto kth = values.begin() + (k - 1);
  std::nth_element(values.begin(), kth, values.end(), std::greater<>());
  return *kth;
}

double sum_of_largest(std::span<double> values, Index count, double start) {
  const auto end = values.begin() + std::min(count, std::ssize(values));
  std::nth_element(values.begin(), end, values.end(), std::greater<>());
  return std::accumulate(values.begin(), end, start);
}

Matrix selected(const MatrixRef& a, const std::vector<Index>& rows,
                const std::vector<Index>& columns) {
  Matrix result(std::ssize(rows), std::ssize(columns));
  double* entry = result.data();
  for (const Index j : columns) {
    for (const Index i : rows) {
      *entry++ = a(i, j);
    }
  }
  return result;
}

Matrix selected_rows(const MatrixRef& a, const std::vector<Index>& rows) {
  Matrix result(std::ssize(rows), a.cols());
  double* entry = result.data();
  for (Index j = 0; j < a.cols(); ++j) {
    for (const Index i : rows) {
      *entry++ = a(i, j);
    }
  }
  return result;
}

Matrix selected_columns(const MatrixRef& a, const std::vector<Index>& columns) {
  Matrix result(a.rows(), std::ssize(columns));
  Index next = 0;
  for (const Index j : columns) {
    result.col(next++) = a.col(j);
  }
  return result;
}

Vector selected_entries(const VectorRef& w, const std::vector<Index>& positions) {
  Vector result(std::ssize(positions));
  double* entry = result.data();
  for (const Index i : positions) {
    *entry++ = w[i];
  }
  return result;
}

void set_entries(Eigen::Ref<Vector> w, const std::vector<Index>& positions,
                 const VectorRef& entries) {
  const double* entry = entries.data();
  for (const Index i : positions) {
    w[i] = *entry++;
  }
}

void add_entries(Eigen::Ref<Vector> w, const std::vector<Index>& positions,
                 const VectorRef& entries) {
  const double* entry = entries.data();
  for (const Index i : positions) {
    w[i] += *entry++;
  }
}

}  // namespace spca

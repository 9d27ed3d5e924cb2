#include "spca/methods/spannogram/spannogram.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "spca/dense/dense_selections.h"

namespace spca {
namespace {

// Entries of V c that differ by at most this, relative to the longest row of V, are tied.
constexpr double kTieOfEntries = 1e-10;
// At most this number of subsets of tied variables are tried at one direction; general position
// needs 2^d. Chosen by trial, not measured.
constexpr int kMostSubsets = 1 << 16;

/// The unit null vector of the (d-1) x d matrix, by elimination with full pivots; empty if its rank
/// is less than d - 1.
Vector null_vector(Matrix rows) {
  const Index d = rows.cols();
  std::vector<Index> order(static_cast<std::size_t>(d));
  std::iota(order.begin(), order.end(), Index{0});
  const double largest = rows.size() == 0 ? 1.0 : rows.cwiseAbs().maxCoeff();
  for (Index step = 0; step < d - 1; ++step) {
    Index row = 0;
    Index column = 0;
    const double pivot =
        rows.bottomRightCorner(d - 1 - step, d - step).cwiseAbs().maxCoeff(&row, &column);
    if (!(pivot > kTieOfEntries * largest)) {
      return {};
    }
    rows.row(step).swap(rows.row(step + row));
    rows.col(step).swap(rows.col(step + column));
    std::swap(order[static_cast<std::size_t>(step)],
              order[static_cast<std::size_t>(step + column)]);
    for (Index below = step + 1; below < d - 1; ++below) {
      const double ratio = rows(below, step) / rows(step, step);
      rows.row(below).tail(d - step) -= ratio * rows.row(step).tail(d - step);
    }
  }
  Vector solution(d);
  solution[d - 1] = 1;
  for (Index step = d - 2; step >= 0; --step) {
    solution[step] =
        -rows.row(step).tail(d - 1 - step).dot(solution.tail(d - 1 - step)) / rows(step, step);
  }
  Vector c(d);
  for (Index m = 0; m < d; ++m) {
    c[order[static_cast<std::size_t>(m)]] = solution[m];
  }
  return c.normalized();
}

/// Calls `use` with every `count`-subset of 0 ... n - 1 until it returns false.
bool for_each_subset(Index n, Index count, const std::function<bool(const Support&)>& use) {
  Support subset(static_cast<std::size_t>(count));
  std::iota(subset.begin(), subset.end(), Index{0});
  if (count > n) {
    return true;
  }
  while (use(subset)) {
    Index last = count - 1;
    while (last >= 0 && subset[static_cast<std::size_t>(last)] == n - count + last) {
      --last;
    }
    if (last < 0) {
      return true;
    }
    ++subset[static_cast<std::size_t>(last)];
    for (Index i = last + 1; i < count; ++i) {
      subset[static_cast<std::size_t>(i)] = subset[static_cast<std::size_t>(i - 1)] + 1;
    }
  }
  return false;
}

}  // namespace

Spannogram::Spannogram(const Matrix& factor, Index k, const std::vector<int>& variables,
                       bool nonnegative, SupportSearch& supports)
    : variables_(variables), k_(k), nonnegative_(nonnegative), supports_(supports) {
  const Index count = static_cast<Index>(variables.size());
  rows_ = Matrix::Zero(count + (nonnegative ? 1 : 0), factor.cols());
  for (Index i = 0; i < count; ++i) {
    rows_.row(i) = factor.row(variables[static_cast<std::size_t>(i)]);
  }
  tie_ = kTieOfEntries * rows_.rowwise().norm().maxCoeff();
  for (Index i = 0; i < rows_.rows(); ++i) {
    Index first = 0;
    while ((rows_.row(i) - rows_.row(first)).norm() > tie_ &&
           (rows_.row(i) + rows_.row(first)).norm() > tie_) {
      ++first;
    }
    same_as_.push_back(first);
  }
}

bool Spannogram::run(Budget& budget) {
  const Index d = rows_.cols();
  bool goes_on = for_each_subset(rows_.rows(), d,
                                 [&](const Support& subset) { return visit_ties(subset, budget); });
  // Directions at which d - 1 rows vanish. These rows are tied with the k-th largest only if it is
  // zero, that is, if fewer than k other rows remain.
  if (goes_on && k_ + d >= rows_.rows() + 2) {
    goes_on = for_each_subset(rows_.rows(), d - 1, [&](const Support& subset) {
      Matrix vanishing(d - 1, d);
      for (Index m = 0; m + 1 < d; ++m) {
        vanishing.row(m) = rows_.row(subset[static_cast<std::size_t>(m)]);
      }
      visit(null_vector(vanishing));
      return budget.next(supports_.best_value());
    });
  }
  return goes_on;
}

bool Spannogram::visit_ties(const Support& rows, Budget& budget) {
  const Index d = rows_.cols();
  const unsigned sequences = nonnegative_ ? 1U : 1U << (d - 1);
  for (unsigned signs = 0; signs < sequences; ++signs) {
    Matrix differences(d - 1, d);
    for (Index m = 1; m < d; ++m) {
      const double sign = (signs >> (m - 1) & 1U) == 0 ? 1.0 : -1.0;
      differences.row(m - 1) =
          rows_.row(rows[0]) - sign * rows_.row(rows[static_cast<std::size_t>(m)]);
    }
    visit(null_vector(differences));
  }
  return budget.next(supports_.best_value());
}

void Spannogram::visit(const Vector& c) {
  if (c.size() == 0) {
    return;
  }
  ++directions_;
  is_cut_short_ = false;
  const Vector values = rows_ * c;
  if (nonnegative_) {
    consider_largest(values);
    consider_largest(-values);
  } else {
    consider_largest(values.cwiseAbs());
  }
  directions_cut_short_ += is_cut_short_ ? 1 : 0;
}

/// Considers the k largest; if others tie with the k-th, every choice among the tied.
void Spannogram::consider_largest(const Vector& magnitude) {
  std::vector<double> sorted(magnitude.begin(), magnitude.end());
  const Index k = std::min(k_, magnitude.size());
  const double last = kth_largest(sorted, k);
  Support chosen;
  std::vector<Index> tied;
  for (Index i = 0; i < magnitude.size(); ++i) {
    if (magnitude[i] > last + tie_) {
      chosen.push_back(i);
    } else if (magnitude[i] >= last - tie_) {
      tied.push_back(i);
    }
  }
  subsets_ = 0;
  choose(tied, 0, k - static_cast<Index>(chosen.size()), chosen);
}

void Spannogram::choose(const std::vector<Index>& tied, std::size_t next, Index wanted,
                        Support& chosen) {
  if (wanted == 0) {
    consider(chosen);
    ++subsets_;
    return;
  }
  if (static_cast<Index>(tied.size() - next) < wanted) {
    return;
  }
  if (subsets_ >= kMostSubsets) {
    is_cut_short_ = true;
    return;
  }
  chosen.push_back(tied[next]);
  choose(tied, next + 1, wanted - 1, chosen);
  chosen.pop_back();
  // Without this row, and so without the rows equal to it: of equal rows the first are chosen.
  std::size_t other = next + 1;
  std::vector<Index> rest;
  for (; other < tied.size(); ++other) {
    if (same_as_[static_cast<std::size_t>(tied[other])] !=
        same_as_[static_cast<std::size_t>(tied[next])]) {
      rest.push_back(tied[other]);
    }
  }
  choose(rest, 0, wanted, chosen);
}

void Spannogram::consider(const Support& rows) {
  Support support;
  for (const Index row : rows) {
    if (row < static_cast<Index>(variables_.size())) {
      support.push_back(variables_[static_cast<std::size_t>(row)]);
    }
  }
  std::sort(support.begin(), support.end());
  ++candidates_;
  supports_.consider(support);
}

}  // namespace spca

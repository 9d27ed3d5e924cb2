#include "spca/methods/pairs/outside_variables.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "spca/base/parallel.h"
#include "spca/covariance/columns_at_a_time.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// At most this number of squares are stored, of the variables with the largest variances.
constexpr double kMostSquares = 2e7;
// After this number of rows of S among the outside variables, no further block is computed.
constexpr std::size_t kMostOutsideRows = 1000;
// At most this number of Dinkelbach steps are made.
constexpr int kMostRatioSteps = 50;
// The steps end once the ratio is too small by at most this share.
constexpr double kSmallExcess = 1e-12;
// A thread searches at least this number of entries of S, or squares, for the largest ones.
constexpr double kLeastEntriesOfThread = 100'000;

Support positive_by_falling(const Vector& variances) {
  Support falling;
  for (Index j = 0; j < variances.size(); ++j) {
    if (variances[j] > 0) {
      falling.push_back(j);
    }
  }
  std::stable_sort(falling.begin(), falling.end(),
                   [&](Index a, Index b) { return variances[a] > variances[b]; });
  return falling;
}

std::size_t most_kept(const Support& core) {
  return static_cast<std::size_t>(kMostSquares /
                                  static_cast<double>(std::max<std::size_t>(core.size(), 1)));
}

/// S_lj^2 for all l of the core, a column for each of the variables.
Matrix squares_between(const Covariance& covariance, const Support& core,
                       const Support& variables) {
  Matrix squares(std::ssize(core), std::ssize(variables));
  Index begin = 0;
  for (const Support& block : column_blocks(core)) {
    const Matrix columns = covariance.columns(block);
    squares.middleRows(begin, std::ssize(block)) =
        columns(variables, Eigen::all).transpose().cwiseAbs2();
    begin += std::ssize(block);
  }
  return squares;
}

/// Entry (m, j) is the variance of variable first + j plus the m largest |S_l,first+j| of other
/// variables l, for m below `max_count`. `columns`: first, first + 1, ... of S.
Matrix longest_rows(const Matrix& columns, const Vector& variances, Index first, Index max_count) {
  Matrix sums(max_count, columns.cols());
  const auto threads = threads_for(static_cast<double>(columns.size()), kLeastEntriesOfThread);
  parallel_ranges(columns.cols(), 1, threads, [&](Index begin, Index end) {
    std::vector<double> row;
    for (Index j = begin; j < end; ++j) {
      row.clear();
      for (Index l = 0; l < columns.rows(); ++l) {
        if (l != first + j) {
          row.push_back(std::abs(columns(l, j)));
        }
      }
      const auto count = std::min<std::ptrdiff_t>(max_count - 1, std::ssize(row));
      std::partial_sort(row.begin(), row.begin() + count, row.end(), std::greater<>());
      double sum = variances[first + j];
      for (Index m = 0; m < max_count; ++m) {
        sums(m, j) = sum;
        sum += m < count ? row[static_cast<std::size_t>(m)] : 0;
      }
    }
  });
  return sums;
}

}  // namespace

/// Bounds lambda_max(S_BB) for any m of the variables `falling` (descending variances), m up to
/// `max_count`, by row sums. Rows are computed from the largest variance on, until no remaining row
/// can have a larger sum, or after kMostOutsideRows.
OutsideVariables::Together OutsideVariables::bound_together(const Covariance& covariance,
                                                            const Support& falling,
                                                            const Vector& variances,
                                                            Index max_count) {
  Vector longest = Vector::Zero(max_count);  // [m]: the largest sum of m + 1 entries
  std::size_t begin = 0;
  const auto rest = [&] {
    return begin < falling.size() ? std::sqrt(variances[0] * variances[static_cast<Index>(begin)])
                                  : 0.0;
  };
  while (begin < std::min(falling.size(), kMostOutsideRows) &&
         static_cast<double>(max_count) * rest() > longest[max_count - 1]) {
    const std::size_t end = std::min(begin + kColumnsAtATime, falling.size());
    const Matrix columns = covariance.columns({falling.begin() + static_cast<std::ptrdiff_t>(begin),
                                               falling.begin() + static_cast<std::ptrdiff_t>(end)})(
        falling, Eigen::all);
    longest =
        longest.cwiseMax(longest_rows(columns, variances, static_cast<Index>(begin), max_count)
                             .rowwise()
                             .maxCoeff());
    begin = end;
  }
  Together together;
  for (Index m = 0; m < max_count; ++m) {
    longest[m] = std::max(longest[m], static_cast<double>(m + 1) * rest());
  }
  together.each = max_count > 1
                      ? (longest[max_count - 1] - longest[0]) / static_cast<double>(max_count - 1)
                      : longest[0];
  for (Index m = 0; m < max_count; ++m) {
    together.all = std::max(together.all, longest[m] - static_cast<double>(m + 1) * together.each);
  }
  return together;
}

OutsideVariables::OutsideVariables(const Covariance& covariance, const Support& core,
                                   Index max_count) {
  Vector others = covariance.diagonal().cwiseMax(0.0);
  others(core).setZero();
  variance_ = others.maxCoeff();
  if (is_empty()) {
    return;
  }
  Support falling = positive_by_falling(others);
  together_ = bound_together(covariance, falling, others(falling), max_count);
  const std::size_t kept = most_kept(core);
  if (falling.size() > kept) {
    rest_ = others[falling[kept]];
    falling.resize(kept);
  }
  variances_ = others(falling);
  squares_ = squares_between(covariance, core, falling);
}

namespace {

/// `value`: the sum of the `count` largest positive terms squares[l] - ratio * costs[l], minus
/// ratio * fixed. `ratio`: (sum of squares) / (fixed + sum of costs) over the l of these terms.
struct Excess {
  double value = 0;
  double ratio = 0;
};

Excess excess_at(double ratio, const Eigen::Ref<const Vector>& squares, const Vector& costs,
                 double fixed, Index count, std::vector<std::pair<double, Index>>& terms) {
  terms.clear();
  for (Index l = 0; l < squares.size(); ++l) {
    const double term = squares[l] - ratio * costs[l];
    if (term > 0) {
      terms.emplace_back(term, l);
    }
  }
  if (std::ssize(terms) > count) {
    std::nth_element(terms.begin(), terms.begin() + count, terms.end(), std::greater<>());
    terms.resize(static_cast<std::size_t>(count));
  }
  Excess excess{.value = -ratio * fixed};
  double sum = 0;
  double cost = fixed;
  for (const auto& [term, l] : terms) {
    excess.value += term;
    sum += squares[l];
    cost += costs[l];
  }
  excess.ratio = sum / cost;
  return excess;
}

/// Returns the largest of `from` and the ratio (sum of squares) / (`fixed` + sum of costs) over all
/// sets of at most `count` terms, or slightly more. Uses Dinkelbach's method: the set of largest
/// excess at one ratio gives the next ratio. The excess falls by at least `fixed` if the ratio
/// rises by one.
double largest_ratio(const Eigen::Ref<const Vector>& squares, const Vector& costs, double fixed,
                     Index count, double from, std::vector<std::pair<double, Index>>& terms) {
  double ratio = from;
  Excess excess = excess_at(ratio, squares, costs, fixed, count, terms);
  for (int step = 0; step < kMostRatioSteps && excess.value > kSmallExcess * ratio * fixed;
       ++step) {
    ratio = std::max(ratio, excess.ratio);
    excess = excess_at(ratio, squares, costs, fixed, count, terms);
  }
  return ratio + std::max(0.0, excess.value) / fixed;
}

}  // namespace

double OutsideVariables::most_added(const Vector& prices, double least, Index k) const {
  double most = 0;
  std::vector<std::pair<double, Index>> terms;
  for (Index m = 1; m <= k && most < variance_; ++m) {
    most = std::max(most, most_added_by(m, prices, least, k, most, terms));
  }
  return std::min(most, variance_);
}

/// Returns the larger of `from` and s_m, or the largest variance outside if h - a - m b <= 0.
double OutsideVariables::most_added_by(Index m, const Vector& prices, double least, Index k,
                                       double from,
                                       std::vector<std::pair<double, Index>>& terms) const {
  const double spare = least - together_.all - static_cast<double>(m) * together_.each;
  if (!(spare > 0)) {
    return variance_;
  }
  const Index count = std::min(k - m, squares_.rows());
  // The factor of S_jj in (2).
  const double times = least / spare;
  double most = std::max(from, times * rest_);
  for (Index j = 0; j < squares_.cols() && times * variances_[j] > most; ++j) {
    const double added = largest_ratio(squares_.col(j), prices, spare, count, most, terms);
    most = std::max(most, std::min(times * variances_[j], added));
  }
  return most;
}

Vector outside_scores(const Covariance& covariance, const Support& core, const Vector& prices,
                      double spare, Index k) {
  Vector scores = covariance.diagonal().cwiseMax(0.0);
  Support falling = positive_by_falling(scores);
  falling.resize(std::min(falling.size(), most_kept(core)));
  Matrix squares = squares_between(covariance, core, falling);
  const Index count = std::min(k - 1, std::ssize(core));
  const int threads = threads_for(static_cast<double>(squares.size()), kLeastEntriesOfThread);
  parallel_ranges(squares.cols(), 1, threads, [&](Index begin, Index end) {
    std::vector<std::pair<double, Index>> terms;
    for (Index t = begin; t < end; ++t) {
      const Index j = falling[static_cast<std::size_t>(t)];
      auto own = squares.col(t);
      const auto position = std::lower_bound(core.begin(), core.end(), j);
      if (position != core.end() && *position == j) {
        own[position - core.begin()] = 0;
      }
      scores[j] = std::min(scores[j], largest_ratio(own, prices, spare, count, 0, terms));
    }
  });
  return scores;
}

void OutsideVariables::visit(
    const Vector& core,
    const std::function<void(double variance, const Vector& sizes)>& visit) const {
  for (Index j = 0; j < squares_.cols(); ++j) {
    visit(variances_[j], squares_.col(j).cwiseSqrt());
  }
  visit(rest_, (core.cwiseMax(0.0) * rest_).cwiseSqrt());
}

OutsideVariables OutsideVariables::over(double scale) const {
  OutsideVariables other = *this;
  other.variance_ /= scale;
  other.variances_ /= scale;
  other.squares_ /= scale * scale;
  other.rest_ /= scale;
  other.together_.all /= scale;
  other.together_.each /= scale;
  return other;
}

}  // namespace spca

#include "spca/spectrum/cardinality_bound.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "spca/base/error.h"
#include "spca/covariance/columns_at_a_time.h"

namespace spca {
namespace {

constexpr const char* kByEigenvalue = "lambda_1";
constexpr const char* kByVariances = "sum of the k largest S_jj";
constexpr const char* kByShiftedVariances = "sum of the k largest S_jj + (k - 1) sigma";
constexpr const char* kByRows = "max_i S_ii + sum of the k - 1 largest |S_ij|";

/// Returns sums with sums[k] = the sum of the k largest entries, k = 0 ... largest_k. Reorders
/// `entries`. If there are fewer than k entries, the missing ones count as zero.
std::vector<double> sums_of_largest(std::vector<double>& entries, Index largest_k) {
  const auto middle = entries.begin() + std::min(largest_k, static_cast<Index>(entries.size()));
  std::partial_sort(entries.begin(), middle, entries.end(), std::greater<>());
  std::vector<double> sums(static_cast<std::size_t>(largest_k) + 1, 0.0);
  for (std::size_t k = 1; k < sums.size(); ++k) {
    sums[k] = sums[k - 1] + (k <= entries.size() ? entries[k - 1] : 0.0);
  }
  return sums;
}

/// The bound by rows, for every k. Invariant of the search: bounds_[i] is the largest row bound of
/// the columns examined so far, at the i-th k.
class RowBounds {
 public:
  RowBounds(const Covariance& covariance, const std::vector<Index>& cardinalities,
            double largest_work)
      : covariance_(covariance),
        cardinalities_(cardinalities),
        largest_work_(largest_work),
        bounds_(cardinalities.size(), 0.0),
        order_(static_cast<std::size_t>(covariance.variables())) {
    std::iota(order_.begin(), order_.end(), 0);
    const Vector& variances = covariance.diagonal();
    // Stable, so that equal variances keep the order of the variables and the bound is
    // reproducible.
    std::stable_sort(order_.begin(), order_.end(),
                     [&](Index a, Index b) { return variances[a] > variances[b]; });
    std::vector<double> deviations;
    for (const Index j : order_) {
      deviations.push_back(deviation(j));
    }
    deviation_sums_ = sums_of_largest(deviations, cardinalities.back());
  }

  std::vector<double> compute() {
    const auto p = static_cast<double>(order_.size());
    // A column of S is X'x_j, n p multiplications. If S itself was given, the column only has to be
    // sorted, p entries.
    const double column_work = p * std::max(1.0, static_cast<double>(covariance_.samples()));
    // At least one column is examined, regardless of its cost.
    const auto limit = static_cast<std::size_t>(std::clamp(largest_work_ / column_work, 1.0, p));
    std::size_t seen = 0;
    while (seen < limit && can_matter(order_[seen])) {
      const std::size_t end = std::min(seen + kColumnsAtATime, limit);
      examine(Support(order_.begin() + static_cast<std::ptrdiff_t>(seen),
                      order_.begin() + static_cast<std::ptrdiff_t>(end)));
      seen = end;
    }
    // The first column that was not examined has the largest variance of those left, and so its
    // bound covers all of them.
    if (seen < order_.size()) {
      for (std::size_t i = 0; i < bounds_.size(); ++i) {
        bounds_[i] = std::max(bounds_[i], unseen_bound(order_[seen], i));
      }
    }
    return bounds_;
  }

 private:
  /// The root of S_jj + sigma, with S + sigma I positive semidefinite.
  double deviation(Index j) const {
    return std::sqrt(std::max(covariance_.diagonal()[j] + covariance_.semidefinite_shift(), 0.0));
  }

  /// Bounds the row sum of every column m with the variance of `variable` or less, at the i-th k:
  ///
  ///   S_mm + sum of k - 1 largest |S_mj| <= S_mm + d_m * sum of k - 1 largest d_j,
  ///   d_j = sqrt(S_jj + sigma)
  ///
  /// because S_mj is an entry of S + sigma I, too. The sum may contain j = m. This only makes the
  /// bound larger, and saves a separate sum for each m.
  double unseen_bound(Index variable, std::size_t i) const {
    const double variance = std::max(covariance_.diagonal()[variable], 0.0);
    const auto others = static_cast<std::size_t>(cardinalities_[i] - 1);
    return variance + deviation(variable) * deviation_sums_[others];
  }

  bool can_matter(Index variable) const {
    for (std::size_t i = 0; i < bounds_.size(); ++i) {
      if (unseen_bound(variable, i) > bounds_[i]) {
        return true;
      }
    }
    return false;
  }

  void examine(Support block) {
    std::sort(block.begin(), block.end());
    const Matrix columns = covariance_.columns(block);
    std::vector<double> magnitudes;
    for (std::size_t b = 0; b < block.size(); ++b) {
      const auto column = columns.col(static_cast<Index>(b));
      magnitudes.clear();
      for (Index j = 0; j < column.size(); ++j) {
        // Zeros add nothing, and for sparse data most entries of a column are zero.
        if (j != block[b] && column[j] != 0) {
          magnitudes.push_back(std::abs(column[j]));
        }
      }
      const std::vector<double> sums = sums_of_largest(magnitudes, cardinalities_.back() - 1);
      for (std::size_t i = 0; i < bounds_.size(); ++i) {
        const auto others = static_cast<std::size_t>(cardinalities_[i] - 1);
        bounds_[i] = std::max(bounds_[i], column[block[b]] + sums[others]);
      }
    }
  }

  const Covariance& covariance_;
  const std::vector<Index>& cardinalities_;
  double largest_work_;
  std::vector<double> bounds_;
  std::vector<Index> order_;            // variables in descending order of variance
  std::vector<double> deviation_sums_;  // of the k largest deviations
};

}  // namespace

std::vector<CardinalityBound> cardinality_bounds(const Covariance& covariance,
                                                 const std::vector<Index>& cardinalities,
                                                 double lambda_1, double largest_work) {
  SPCA_CHECK(!cardinalities.empty() && cardinalities.front() >= 1 &&
                 cardinalities.back() <= covariance.variables() &&
                 std::is_sorted(cardinalities.begin(), cardinalities.end()),
             "cardinalities that do not ascend within 1 ... p");
  std::vector<double> variances(covariance.diagonal().begin(), covariance.diagonal().end());
  const std::vector<double> variance_sums = sums_of_largest(variances, cardinalities.back());
  const std::vector<double> rows = RowBounds(covariance, cardinalities, largest_work).compute();
  std::vector<CardinalityBound> bounds;
  for (std::size_t i = 0; i < cardinalities.size(); ++i) {
    const double shift = covariance.semidefinite_shift();
    CardinalityBound best{.value = variance_sums[static_cast<std::size_t>(cardinalities[i])] +
                                   static_cast<double>(cardinalities[i] - 1) * shift,
                          .source = shift > 0 ? kByShiftedVariances : kByVariances};
    if (rows[i] < best.value) {
      best = {.value = rows[i], .source = kByRows};
    }
    // The comparison is false if lambda_1 is NaN.
    if (lambda_1 < best.value) {
      best = {.value = lambda_1, .source = kByEigenvalue};
    }
    bounds.push_back(std::move(best));
  }
  return bounds;
}

}  // namespace spca

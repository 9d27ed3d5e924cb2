#include "spca/methods/packing/row_projection.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace spca {
namespace {

// Only so many times k entries of a row may be more than zero in its projection: the largest.
constexpr Index kEntriesKept = 5;
// Relative accuracy of the multipliers; what they lack the next steps make good.
constexpr double kAccuracy = 1e-7;
constexpr int kMostHalvings = 60;
constexpr double kFirst = 0.1;
constexpr double kExpansion = 3;
constexpr double kSmallest = 1e-12;
constexpr double kPartAccuracy = 1e-4;  // of z

/// How many of the falling values are more than `least`.
std::size_t count_above(const std::vector<double>& falling, double least) {
  return static_cast<std::size_t>(
      std::partition_point(falling.begin(), falling.end(),
                           [least](double value) { return value > least; }) -
      falling.begin());
}

}  // namespace

double row_worth(double own, double squares) {
  return 0.5 * (own + std::hypot(own, std::sqrt(squares)));
}

RowCost row_cost(const VectorRef& row, Index i, Index k) {
  std::vector<double> sizes;
  for (Index l = 0; l < row.size(); ++l) {
    if (l != i) {
      sizes.push_back(std::abs(row[l]));
    }
  }
  const auto count = static_cast<std::size_t>(k - 1);
  RowCost cost;
  if (count < sizes.size()) {
    std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(count), sizes.end(),
                     std::greater<>());
    sizes.resize(count);
  }
  if (count > 0 && count == sizes.size()) {
    cost.least = *std::min_element(sizes.begin(), sizes.end());
  }
  cost.worth =
      row_worth(row[i], std::inner_product(sizes.begin(), sizes.end(), sizes.begin(), 0.0));
  return cost;
}

RowProjection::RowProjection(Index p, Index k)
    : k_(std::min(k, p)), last_(static_cast<std::size_t>(p), kFirst) {}

void RowProjection::sort(const VectorRef& row, Index i) {
  falling_.clear();
  for (Index l = 0; l < row.size(); ++l) {
    if (l != i) {
      falling_.push_back(std::abs(row[l]));
    }
  }
  const auto kept = static_cast<std::size_t>(std::min(kEntriesKept * k_, row.size() - 1));
  if (kept < falling_.size()) {
    std::nth_element(falling_.begin(), falling_.begin() + static_cast<std::ptrdiff_t>(kept),
                     falling_.end(), std::greater<>());
    falling_.resize(kept);
  }
  std::sort(falling_.begin(), falling_.end(), std::greater<>());
  sums_.assign(1, 0.0);
  squares_.assign(1, 0.0);
  for (const double value : falling_) {
    sums_.push_back(sums_.back() + value);
    squares_.push_back(squares_.back() + value * value);
  }
}

/// c at sigma = 2 s, and `left` the left side of the constraint there.
double RowProjection::find_c(double sigma, double scale, double& left) const {
  const auto goal = static_cast<double>(std::min(k_ - 1, static_cast<Index>(falling_.size())));
  if (goal == 0 || falling_[0] == 0) {
    left = 0;
    return 1;
  }
  const double least =
      std::max(falling_[static_cast<std::size_t>(goal) - 1], kSmallest * falling_[0]) * scale;
  double low = 0;
  double high = (1 + sigma) / least * (1 + kSmallest);
  double c = high;
  for (int step = 0; step < kMostHalvings; ++step) {
    const std::size_t full = count_above(falling_, (1 + sigma) / (c * scale));
    const std::size_t some = count_above(falling_, sigma / (c * scale));
    const double slope = scale * (sums_[some] - sums_[full]);
    const double others = sigma * static_cast<double>(some - full);
    const double excess = static_cast<double>(full) + c * slope - others - goal;
    left = scale * scale * squares_[full] / ((1 + sigma) * (1 + sigma)) +
           (c * slope - others) / (c * c);
    if (std::abs(excess) < kAccuracy || high - low < kSmallest * high) {
      break;
    }
    (excess > 0 ? high : low) = c;
    const double newton = slope > 0 ? c - excess / slope : low;
    c = newton > low && newton < high ? newton : 0.5 * (low + high);
  }
  return c;
}

RowProjection::Multipliers RowProjection::solve(double own, double scale, double first) const {
  Multipliers at;
  const auto excess = [&](double s) {
    double left = 0;
    at = {.s = s, .c = find_c(2 * s, scale, left)};
    const double t = std::clamp((own * scale + s) / (1 + 2 * s), 0.0, 1.0);
    return left - t * (1 - t);
  };
  if (excess(0) <= 0) {
    return at;
  }
  double low = first;
  double high = first;
  while (high < 1 / kSmallest && excess(high) > 0) {
    low = high;
    high *= kExpansion;
  }
  while (low == high && low > kSmallest) {
    low /= kExpansion;
    if (excess(low) > 0) {
      break;
    }
    high = low;
  }
  for (int step = 0; step < kMostHalvings && high > low * (1 + kAccuracy); ++step) {
    const double middle = std::sqrt(low * high);
    (excess(middle) > 0 ? low : high) = middle;
  }
  excess(high);
  return at;
}

/// w of what the projection leaves: y / z is where <g, .> is largest on C_i.
double RowProjection::worth_left(const Multipliers& at, double own, double scale) const {
  double left = 0;
  find_c(2 * at.s, scale, left);
  const double t = std::clamp((own * scale + at.s) / (1 + 2 * at.s), 0.0, 1.0);
  return (2 * at.s * left + (own * scale - t) * t) / scale;
}

double RowProjection::project(const VectorRef& row, Index i, double price,
                              Eigen::Ref<Vector> image) {
  image.setZero();
  sort(row, i);
  const double own = row[i];
  const auto most = static_cast<std::size_t>(std::min(k_ - 1, static_cast<Index>(falling_.size())));
  if (!(row_worth(own, squares_[most]) > price)) {
    return 0;
  }
  double& first = last_[static_cast<std::size_t>(i)];
  double z = 1;
  Multipliers at = solve(own, 1, first);
  if (worth_left(at, own, 1) < price) {
    double low = 0;
    double high = 1;
    while (high - low > kPartAccuracy) {
      z = 0.5 * (low + high);
      at = solve(own, 1 / z, std::max(at.s, kSmallest));
      (worth_left(at, own, 1 / z) < price ? high : low) = z;
    }
  }
  first = std::clamp(at.s, kSmallest, 1 / kSmallest);
  const double sigma = 2 * at.s;
  const double least = static_cast<Index>(falling_.size()) < row.size() - 1 ? falling_.back() : -1;
  for (Index l = 0; l < row.size(); ++l) {
    const double size = std::abs(row[l]) / z;
    const double part = std::clamp(size * at.c - sigma, 0.0, 1.0);
    if (part > 0 && std::abs(row[l]) >= least) {
      image[l] = z * (row[l] / z) * part / (part + sigma);
    }
  }
  image[i] = z * std::clamp((own / z + at.s) / (1 + 2 * at.s), 0.0, 1.0);
  return z;
}

}  // namespace spca

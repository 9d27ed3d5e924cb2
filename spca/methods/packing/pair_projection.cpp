#include "spca/methods/packing/pair_projection.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace spca {
namespace {

constexpr int kMostHalvings = 60;
// Relative accuracy; what is lacking the next steps make good.
constexpr double kAccuracy = 1e-8;

/// How many of the falling values are more than `least`.
std::size_t count_above(const std::vector<double>& falling, double least) {
  return static_cast<std::size_t>(
      std::partition_point(falling.begin(), falling.end(),
                           [least](double value) { return value > least; }) -
      falling.begin());
}

}  // namespace

void project_pair(double& y, double& a, double& b) {
  // With s = (a + b) / sqrt 2 and v = (sqrt 2 y, (a - b) / sqrt 2), the cone is ||v|| <= s.
  const double sum = a + b;
  const double difference = a - b;
  const double length = std::sqrt(4 * y * y + difference * difference);
  if (length <= sum) {
    return;
  }
  if (length <= -sum) {
    y = a = b = 0;
    return;
  }
  const double part = 0.5 * (1 + sum / length);
  y *= part;
  a = 0.5 * part * (length + difference);
  b = 0.5 * part * (length - difference);
}

double RowProjection::multiplier(double most) const {
  const double goal = static_cast<double>(k_ - 1) * most;
  const auto excess_and_slope = [&](double cut, double& slope) {
    const std::size_t full = count_above(falling_, cut + most);
    const std::size_t some = count_above(falling_, cut);
    slope = static_cast<double>(some - full);
    return static_cast<double>(full) * most + sums_[some] - sums_[full] - cut * slope - goal;
  };
  double slope = 0;
  double excess = excess_and_slope(0, slope);
  if (excess <= 0) {
    return 0;
  }
  double low = 0;
  double high = falling_.front();
  double cut = 0;
  for (int step = 0; step < kMostHalvings && high - low > kAccuracy * high; ++step) {
    (excess > 0 ? low : high) = cut;
    const double newton = slope > 0 ? cut + excess / slope : low;
    const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (std::abs(next - cut) <= kAccuracy * high) {
      return next;
    }
    cut = next;
    excess = excess_and_slope(cut, slope);
  }
  return cut;
}

double RowProjection::pull(double most) const {
  const double cut = multiplier(most);
  const std::size_t full = count_above(falling_, cut + most);
  return sums_[full] - static_cast<double>(full) * (cut + most) + static_cast<double>(k_ - 1) * cut;
}

void RowProjection::project(Eigen::Ref<Vector> row, Index i) {
  falling_.clear();
  for (Index l = 0; l < row.size(); ++l) {
    if (l != i && row[l] > 0) {
      falling_.push_back(row[l]);
    }
  }
  std::sort(falling_.begin(), falling_.end(), std::greater<>());
  sums_.assign(1, 0.0);
  for (const double value : falling_) {
    sums_.push_back(sums_.back() + value);
  }
  const double own = row[i];
  // own + pull - t falls in t, and is not positive at t = own + pull(0), or at zero.
  double most = 0;
  if (!falling_.empty() && own + pull(0) > 0) {
    double low = std::max(0.0, own);
    double high = own + pull(0);
    for (int step = 0; step < kMostHalvings && high - low > kAccuracy * high; ++step) {
      const double middle = 0.5 * (low + high);
      (own + pull(middle) > middle ? low : high) = middle;
    }
    most = high;
  } else {
    most = std::max(0.0, own);
  }
  const double cut = most > 0 && !falling_.empty() ? multiplier(most) : 0;
  for (Index l = 0; l < row.size(); ++l) {
    row[l] = l == i ? most : std::clamp(row[l] - cut, 0.0, most);
  }
}

double project_on_simplex(Eigen::Ref<Vector> column) {
  column = column.cwiseMax(0.0);
  if (column.sum() <= 1) {
    return 0;
  }
  // The multiplier rises to that of the entries that stay positive.
  double cut = 0;
  for (;;) {
    double sum = 0;
    Index count = 0;
    for (const double value : column) {
      if (value > cut) {
        sum += value;
        ++count;
      }
    }
    const double next = (sum - 1) / static_cast<double>(count);
    if (!(next > cut * (1 + kAccuracy))) {
      break;
    }
    cut = next;
  }
  column = (column.array() - cut).max(0.0);
  return cut;
}

}  // namespace spca

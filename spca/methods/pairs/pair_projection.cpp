#include "spca/methods/pairs/pair_projection.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "spca/dense/dense_selections.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

constexpr int kMostLevelHalvings = 60;
constexpr int kMostSettlings = 30;
// Relative accuracy; later steps correct the remaining error.
constexpr double kProjectionAccuracy = 1e-8;

/// The number of values that exceed `least`. `falling` is in descending order.
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

double RowProjection::multiplier(double top) const {
  const double goal = static_cast<double>(k_ - 1) * top;
  const auto excess_and_slope = [&](double cut, double& slope) {
    const std::size_t full = count_above(falling_, cut + top);
    const std::size_t some = count_above(falling_, cut);
    slope = static_cast<double>(some - full);
    return static_cast<double>(full) * top + sums_[some] - sums_[full] - cut * slope - goal;
  };
  double slope = 0;
  double excess = excess_and_slope(0, slope);
  if (excess <= 0) {
    return 0;
  }
  double low = 0;
  double high = falling_.front();
  double cut = 0;
  for (int step = 0; step < kMostLevelHalvings && high - low > kProjectionAccuracy * high; ++step) {
    (excess > 0 ? low : high) = cut;
    const double newton = slope > 0 ? cut + excess / slope : low;
    const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (std::abs(next - cut) <= kProjectionAccuracy * high) {
      return next;
    }
    cut = next;
    excess = excess_and_slope(cut, slope);
  }
  return cut;
}

double RowProjection::pull(double top) const {
  const double cut = multiplier(top);
  const std::size_t full = count_above(falling_, cut + top);
  return sums_[full] - static_cast<double>(full) * (cut + top) + static_cast<double>(k_ - 1) * cut;
}

bool RowProjection::settle(const Eigen::Ref<const Vector>& row, Index i, Levels& levels) const {
  const double own = row[i];
  const auto others = static_cast<double>(k_ - 1);
  for (int step = 0; step < kMostSettlings; ++step) {
    const auto above = row.array() - levels.cut;
    double full = static_cast<double>((above > levels.top).count());
    double full_sum = (above > levels.top).select(row, 0).sum();
    double some = static_cast<double>((above > 0).count()) - full;
    double some_sum = (above > 0).select(row, 0).sum() - full_sum;
    if (own - levels.cut > levels.top) {
      full -= 1;
      full_sum -= own;
    } else if (own - levels.cut > 0) {
      some -= 1;
      some_sum -= own;
    }
    // own + sum of full - full (t + c) + (k - 1) c = t,  sum of some - some c + full t = (k - 1) t
    const double spare = others - full;
    const double determinant = some * (1 + full) + spare * spare;
    Levels next{.top = (own + full_sum) / (1 + full), .cut = 0};
    if (some_sum > spare * next.top && determinant > 0) {
      next.top = (some * (own + full_sum) + spare * some_sum) / determinant;
      next.cut = ((1 + full) * some_sum - spare * (own + full_sum)) / determinant;
    }
    if (!(next.top > 0) || !(next.cut >= 0)) {
      return false;
    }
    const double moved = std::max(std::abs(next.top - levels.top), std::abs(next.cut - levels.cut));
    levels = next;
    if (moved <= kProjectionAccuracy * next.top) {
      return true;
    }
  }
  return false;
}

RowProjection::Levels RowProjection::bisect(const Eigen::Ref<const Vector>& row, Index i) {
  falling_.clear();
  for (Index l = 0; l < row.size(); ++l) {
    if (l != i && row[l] > 0) {
      falling_.push_back(row[l]);
    }
  }
  const double own = row[i];
  if (falling_.empty()) {
    return {.top = std::max(0.0, own)};
  }
  // own + pull - t falls in t. It is not positive at t = own + the k - 1 largest, the limit of pull
  // at zero.
  double high = sum_of_largest(falling_, k_ - 1, own);
  if (!(high > 0)) {
    return {};
  }
  std::sort(falling_.begin(), falling_.end(), std::greater<>());
  sums_.assign(1, 0.0);
  for (const double value : falling_) {
    sums_.push_back(sums_.back() + value);
  }
  double low = std::max(0.0, own);
  for (int step = 0; step < kMostLevelHalvings && high - low > kProjectionAccuracy * high; ++step) {
    const double middle = 0.5 * (low + high);
    (own + pull(middle) > middle ? low : high) = middle;
  }
  return {.top = high, .cut = multiplier(high)};
}

void RowProjection::project(Eigen::Ref<Vector> row, Index i) {
  last_.resize(static_cast<std::size_t>(row.size()));
  Levels& levels = last_[static_cast<std::size_t>(i)];
  if (!settle(row, i, levels)) {
    levels = bisect(row, i);
  }
  row = (row.array() - levels.cut).max(0.0).min(levels.top);
  row[i] = levels.top;
}

double project_on_simplex(Eigen::Ref<Vector> column, double limit) {
  column = column.cwiseMax(0.0);
  if (column.sum() <= limit) {
    return 0;
  }
  if (limit <= 0) {
    const double largest = column.maxCoeff();
    column.setZero();
    return largest;
  }
  // The multiplier rises to that of the entries that remain positive.
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
    const double next = (sum - limit) / static_cast<double>(count);
    if (!(next > cut * (1 + kProjectionAccuracy))) {
      break;
    }
    cut = next;
  }
  column = (column.array() - cut).max(0.0);
  return cut;
}

double project_on_sums(Eigen::Ref<Vector> column, double least, double limit) {
  if (least <= 0 || column.cwiseMax(0.0).sum() >= least) {
    return project_on_simplex(column, limit);
  }
  std::vector<double> falling(column.begin(), column.end());
  std::sort(falling.begin(), falling.end(), std::greater<>());
  // The largest entries rise alike until their sum is `least`; entries that stay below zero do not
  // count.
  double sum = 0;
  double rise = 0;
  for (std::size_t i = 0; i < falling.size(); ++i) {
    sum += falling[i];
    rise = (least - sum) / static_cast<double>(i + 1);
    if (i + 1 == falling.size() || falling[i + 1] + rise <= 0) {
      break;
    }
  }
  column = (column.array() + rise).max(0.0);
  return -rise;
}

double project_on_union(Eigen::Ref<Vector> column, double& u, double least, double limit) {
  const double own = u;
  const Vector before = column;
  const double price = project_on_sums(column, least, limit);
  u = std::min(1.0, own);
  if (least > 0 || u <= column.sum()) {
    return price;
  }
  if (limit <= 0) {
    u = 0;
    return price;
  }
  // All entries rise by t, and u falls by t, until u = sum d, which is within the limits because
  // u <= 1. The excess of sum d over u is convex in t, so Newton's steps fall to its root.
  double rise = own;
  for (;;) {
    const auto raised = before.array() + rise;
    const auto count = static_cast<double>((raised > 0).count());
    const bool is_falling = own - rise < 1;
    const double excess = raised.max(0.0).sum() - std::min(1.0, own - rise);
    const double slope = count + (is_falling ? 1 : 0);
    const double next = slope > 0 ? rise - excess / slope : rise;
    if (!(rise - next > kProjectionAccuracy * own)) {
      break;
    }
    rise = next;
  }
  column = (before.array() + rise).max(0.0);
  u = std::min(1.0, own - rise);
  return -rise;
}

double project_on_multiple(Eigen::Ref<Vector> column, double& u, double r, double least,
                           double most) {
  // d = max(D - c, 0) and u = clamp(u + r c, least, most). The excess of sum d over r u falls in c.
  const double own = u;
  const auto excess_and_slope = [&](double cut, double& slope) {
    const auto lowered = column.array() - cut;
    const double raised = own + r * cut;
    const bool is_between = least < raised && raised < most;
    slope = static_cast<double>((lowered > 0).count()) + (is_between ? r * r : 0);
    return lowered.max(0.0).sum() - r * std::clamp(raised, least, most);
  };
  const double reach = std::max({1.0, most, std::abs(own), column.cwiseAbs().maxCoeff()});
  double low = -2 * reach;  // an excess above zero
  double high = 2 * reach;  // an excess of at most zero
  double cut = 0;
  for (int step = 0; step < kMostLevelHalvings; ++step) {
    double slope = 0;
    const double excess = excess_and_slope(cut, slope);
    (excess > 0 ? low : high) = cut;
    const double newton = slope > 0 ? cut + excess / slope : low;
    const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (std::abs(next - cut) <= kProjectionAccuracy * reach) {
      break;
    }
    cut = next;
  }
  column = (column.array() - cut).max(0.0);
  u = std::clamp(own + r * cut, least, most);
  return cut;
}

}  // namespace spca

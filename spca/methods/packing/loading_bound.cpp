#include "spca/methods/packing/loading_bound.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "spca/methods/bounds/factored_covariance.h"

namespace spca {
namespace {

// The share of the target in the scale of a variable.
constexpr double kTargetInScale = 0.2;
// Scales stay above the root of this share of the largest variance.
constexpr double kSmallestScale = 1e-6;
// Limits are narrowed again if that lowered what the bound exceeds by this share.
constexpr double kPromising = 0.02;
// How often limits of the candidates in the sum are narrowed before those of all.
constexpr int kSmallSteps = 8;
// What a term of a sum takes, in multiplications.
constexpr double kTermWork = 5;

}  // namespace

LoadingBound::LoadingBound(const Matrix& matrix, const SupportPricing& pricing, Index k)
    : matrix_(matrix),
      pricing_(pricing),
      k_(k),
      scale_(matrix.diagonal().maxCoeff() > 0 ? matrix.diagonal().maxCoeff() : 1),
      is_nonnegative_(matrix.minCoeff() >= 0),
      scales_((pricing.prices.array() + kTargetInScale * std::max(pricing.target, 0.0) +
               kSmallestScale * scale_)
                  .sqrt()) {}

LoadingFamily LoadingBound::of_leader(Index leader) const {
  LoadingFamily family;
  family.chosen = {static_cast<int>(leader)};
  family.candidates.resize(static_cast<std::size_t>(matrix_.rows()));
  std::iota(family.candidates.begin(), family.candidates.end(), 0);
  family.candidates.erase(family.candidates.begin() + static_cast<std::ptrdiff_t>(leader));
  family.high = scales_ / scales_[leader];
  family.high[leader] = 1;
  family.low = is_nonnegative_ ? Vector(Vector::Zero(matrix_.rows())) : Vector(-family.high);
  family.low[leader] = 1;
  return family;
}

namespace {

/// The largest that s x_l can be.
double up(double s, const LoadingFamily& family, int l) {
  return std::max(s * family.low[l], s * family.high[l]);
}

}  // namespace

double LoadingBound::worth(const LoadingFamily& family, int variable) const {
  return up(matrix_(family.leader(), variable), family, variable) - pricing_.prices[variable];
}

/// Returns false if no support is left.
bool LoadingBound::obey_rules(LoadingFamily& family) const {
  if (!pricing_.rules.empty() && !pricing_.rules.apply(family.chosen, family.candidates)) {
    return false;
  }
  const Index chosen = std::ssize(family.chosen);
  if (chosen == k_) {
    family.candidates.clear();
  }
  return chosen <= k_ && chosen + std::ssize(family.candidates) >= k_;
}

/// (2), and what it says of single candidates. Returns whether the family is open.
bool LoadingBound::settle(LoadingFamily& family, double least) {
  const int leader = family.leader();
  const auto missing = static_cast<std::ptrdiff_t>(k_ - std::ssize(family.chosen));
  double total = kBoundRounding * scale_;
  for (const int l : family.chosen) {
    total += up(matrix_(leader, l), family, l) - pricing_.prices[l];
  }
  std::vector<std::pair<double, int>> worths;
  for (const int l : family.candidates) {
    worths.emplace_back(worth(family, l), l);
  }
  std::nth_element(worths.begin(), worths.begin() + missing, worths.end(), std::greater<>());
  double last = std::numeric_limits<double>::infinity();   // of those in the sum
  double next = -std::numeric_limits<double>::infinity();  // of the others
  for (auto place = worths.begin(); place != worths.end(); ++place) {
    if (place < worths.begin() + missing) {
      total += place->first;
      last = std::min(last, place->first);
    } else {
      next = std::max(next, place->first);
    }
  }
  family.bound = std::min(family.bound, total);
  if (!(family.bound > least)) {
    return false;
  }
  family.candidates.clear();
  for (auto place = worths.begin(); place != worths.end(); ++place) {
    const auto& [own, l] = *place;
    if (place < worths.begin() + missing) {
      const bool is_needed = !(total - own + next > least);
      (is_needed ? family.chosen : family.candidates).push_back(l);
    } else if (missing > 0 && total - last + own > least) {
      family.candidates.push_back(l);
    }
  }
  return true;
}

/// The sum of the `count` largest lifts_ - t costs_.
double LoadingBound::largest_sum(double t, Index count) {
  terms_.resize(lifts_.size());
  for (std::size_t l = 0; l < terms_.size(); ++l) {
    terms_[l] = lifts_[l] - t * costs_[l];
  }
  const auto end = terms_.begin() + static_cast<std::ptrdiff_t>(count);
  if (end != terms_.end()) {
    std::nth_element(terms_.begin(), end, terms_.end(), std::greater<>());
  }
  work_ += kTermWork * static_cast<double>(terms_.size());
  return std::accumulate(terms_.begin(), end, 0.0);
}

/// The most that sign x_j can be, by (3). 0: it is not positive.
double LoadingBound::largest_loading(const LoadingFamily& family, const Chosen& chosen, int j,
                                     bool is_chosen, double sign) {
  const double limit = sign > 0 ? family.high[j] : -family.low[j];
  if (!(limit > 0)) {
    return limit;
  }
  const double price = is_chosen ? 0 : pricing_.prices[j];
  const double slope = chosen.least + chosen.paid + price - matrix_(j, j);
  double given = 0;
  for (const int l : family.chosen) {
    given += l == j ? 0 : up(sign * matrix_(l, j), family, l);
  }
  lifts_.clear();
  costs_.clear();
  for (const int l : family.candidates) {
    if (l != j) {
      lifts_.push_back(up(sign * matrix_(l, j), family, l));
      costs_.push_back(pricing_.prices[l]);
    }
  }
  const Index count = chosen.missing - (is_chosen ? 0 : 1);
  // Both ends are lowered by what rounding may add up to.
  const double rounding = kBoundRounding * scale_ * std::max(1.0, family.high.maxCoeff());
  const double at_limit = slope * limit - given - largest_sum(limit, count) - rounding;
  if (!(at_limit > 0)) {
    return limit;
  }
  const double at_zero = -given - largest_sum(0, count) - rounding;
  return at_zero > 0 ? 0 : limit * (-at_zero) / (at_limit - at_zero);
}

void LoadingBound::narrow(LoadingFamily& family, double least, Extent extent) {
  Chosen chosen{.least = least, .missing = k_ - std::ssize(family.chosen)};
  for (const int l : family.chosen) {
    chosen.paid += pricing_.prices[l];
  }
  const auto narrow_one = [&](int j, bool is_chosen) {
    family.high[j] = largest_loading(family, chosen, j, is_chosen, 1);
    family.low[j] = -largest_loading(family, chosen, j, is_chosen, -1);
  };
  for (std::size_t t = 1; t < family.chosen.size(); ++t) {
    narrow_one(family.chosen[t], true);
  }
  const auto count =
      extent == Extent::kAll ? family.candidates.size() : static_cast<std::size_t>(chosen.missing);
  for (std::size_t t = 0; t < count; ++t) {
    narrow_one(family.candidates[t], false);
  }
}

/// Returns whether it was worth while.
bool LoadingBound::step(LoadingFamily& family, double least, Extent extent) {
  const double before = family.bound;
  const auto known = family.chosen.size();
  if (!obey_rules(family)) {
    family.bound = least;
    return false;
  }
  narrow(family, least, extent);
  return settle(family, least) &&
         (before - family.bound > kPromising * (before - least) || family.chosen.size() > known);
}

bool LoadingBound::reduce(LoadingFamily& family, double least, int times) {
  if (!obey_rules(family)) {
    family.bound = least;
  } else if (settle(family, least)) {
    bool is_promising = true;
    for (int time = 0; time < times && is_promising; ++time) {
      // The candidates in the sum come first: they are few, and often enough.
      for (int small = 0; small < kSmallSteps && step(family, least, Extent::kInSum); ++small) {
      }
      is_promising = family.bound > least && step(family, least, Extent::kAll);
    }
  }
  family.bound = std::max(family.bound, least);
  return family.bound > least;
}

}  // namespace spca

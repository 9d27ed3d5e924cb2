#include "spca/methods/packing/spectrum_bound.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "spca/algebra/dense_decompositions.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/factored_covariance.h"

namespace spca {
namespace {

// tau is above this share of what it can be.
constexpr double kSmallestTau = 1e-3;
// How often limits are narrowed.
constexpr int kRounds = 8;
// Candidates of large terms, beyond those in the sum, whose limits are narrowed.
constexpr std::ptrdiff_t kManyTerms = 24;
// Limits are narrowed again if that lowered the bound by this share of what it exceeds.
constexpr double kPromisingRound = 0.02;
// What rounding may add to a loading.
constexpr double kLoadingRounding = 1e-9;

/// A limit of the t >= 0 at which slope t <= sum(t), where the sum is convex: where the chord of the
/// difference between zero and `limit`, which is one, is zero.
template <class Sum>
double chord(double limit, double slope, const Sum& sum) {
  if (!(limit > 0)) {
    return limit;
  }
  const double at_limit = slope * limit - sum(limit);
  if (!(at_limit > 0)) {
    return limit;
  }
  const double at_zero = -sum(0.0);
  return at_zero > 0 ? 0 : limit * (-at_zero) / (at_limit - at_zero);
}

}  // namespace

SpectrumBound::SpectrumBound(const Matrix& matrix, const SupportPricing& pricing, Index k,
                             StrongestEntries& strongest)
    : matrix_(matrix),
      pricing_(pricing),
      k_(k),
      strongest_(strongest),
      scale_(matrix.diagonal().maxCoeff() > 0 ? matrix.diagonal().maxCoeff() : 1),
      places_(static_cast<std::size_t>(matrix.rows())) {}

/// Of the sum of weights and loadings of the chosen variables.
SpectrumBound::Limits SpectrumBound::combined(const LoadingFamily& family,
                                              const Eigen::Ref<const Vector>& weights) const {
  Limits limits;
  for (Index t = 0; t < weights.size(); ++t) {
    const int l = family.chosen[static_cast<std::size_t>(t)];
    const double one = weights[t] * family.low[l];
    const double other = weights[t] * family.high[l];
    limits.low += std::min(one, other);
    limits.high += std::max(one, other);
  }
  return limits;
}

/// What rounding may add to a sum.
double SpectrumBound::rounding() const { return kBoundRounding * scale_ * largest_limit_; }

bool SpectrumBound::begin(const LoadingFamily& family, double least) {
  const Index chosen = std::ssize(family.chosen);
  const auto n = static_cast<Index>(family.candidates.size());
  missing_ = k_ - chosen;
  const double paid = pricing_.prices(family.chosen).sum();
  target_ = least + paid;
  if (missing_ <= 0 || n < missing_ || chosen < 2 || !(target_ > 0)) {
    return false;
  }
  SymmetricEigenpairs pairs = symmetric_eigenpairs(Matrix(matrix_(family.chosen, family.chosen)));
  vectors_ = std::move(pairs.vectors);
  values_ = std::move(pairs.values);
  if (vectors_(0, chosen - 1) < 0) {
    vectors_.col(chosen - 1) *= -1;
  }
  tau_ = combined(family, vectors_.col(chosen - 1));
  if (!(tau_.low > kSmallestTau)) {
    return false;
  }
  const auto over_tau = [&](const Limits& limits) {
    return Limits{.low = limits.low > 0 ? limits.low / tau_.high : limits.low / tau_.low,
                  .high = limits.high > 0 ? limits.high / tau_.low : limits.high / tau_.high};
  };
  parts_.clear();
  for (Index t = 0; t + 1 < chosen; ++t) {
    parts_.push_back(over_tau(combined(family, vectors_.col(t))));
  }
  prices_ = pricing_.prices(family.candidates);
  low_.resize(n);
  high_.resize(n);
  std::fill(places_.begin(), places_.end(), -1);
  for (Index j = 0; j < n; ++j) {
    const int l = family.candidates[static_cast<std::size_t>(j)];
    places_[static_cast<std::size_t>(l)] = static_cast<int>(j);
    const Limits limits = over_tau({.low = family.low[l], .high = family.high[l]});
    low_[j] = limits.low;
    high_[j] = limits.high;
  }
  borders_.noalias() = matrix_(family.candidates, family.chosen) * vectors_;
  work_ += static_cast<double>(n * chosen * chosen);
  constant_ = values_[chosen - 1] - paid;
  return true;
}

/// The sum of the `count` largest; none is more than there are.
double SpectrumBound::sum_of_largest(Index count) {
  const auto end = scratch_.begin() + std::min<std::ptrdiff_t>(count, std::ssize(scratch_));
  if (end != scratch_.end()) {
    std::nth_element(scratch_.begin(), end, scratch_.end(), std::greater<>());
  }
  work_ += 2 * static_cast<double>(terms_.size());
  return std::accumulate(scratch_.begin(), end, 0.0);
}

/// (2)
void SpectrumBound::narrow_parts() {
  const auto lifted = [&](Index t, double sign, double y) {
    scratch_.clear();
    for (Index j = 0; j < low_.size(); ++j) {
      const double term = up(sign * borders_(j, t), j) - y * prices_[j];
      if (term > 0) {
        scratch_.push_back(term);
      }
    }
    return sum_of_largest(missing_) + rounding();
  };
  for (Index t = 0; t < std::ssize(parts_); ++t) {
    const auto largest = [&](double sign, double limit) {
      return chord(limit, target_ - values_[t], [&](double y) { return lifted(t, sign, y); });
    };
    Limits& part = parts_[static_cast<std::size_t>(t)];
    part.high = largest(1, part.high);
    part.low = -largest(-1, -part.low);
  }
}

/// (3), of one candidate.
void SpectrumBound::narrow_loading(const LoadingFamily& family, Index j) {
  const Index last = values_.size() - 1;
  const int variable = family.candidates[static_cast<std::size_t>(j)];
  const auto largest = [&](double sign, double limit) {
    double given = sign * borders_(j, last);
    for (Index t = 0; t < last; ++t) {
      const Limits& part = parts_[static_cast<std::size_t>(t)];
      given += std::max(sign * borders_(j, t) * part.low, sign * borders_(j, t) * part.high);
    }
    return chord(limit, target_ + prices_[j] - matrix_(variable, variable), [&](double z) {
      const auto term = [&](int l, double entry) {
        const int place = places_[static_cast<std::size_t>(l)];
        return place < 0 || place == j ? 0.0 : up(sign * entry, place) - z * prices_[place];
      };
      return given + rounding() +
             strongest_.largest_sum(variable, missing_ - 1, largest_limit_, term, work_);
    });
  };
  high_[j] = largest(1, high_[j]);
  low_[j] = -largest(-1, -low_[j]);
}

void SpectrumBound::find_largest_limit() {
  largest_limit_ = std::max({1.0, high_.maxCoeff(), -low_.minCoeff()});
}

/// (1). Returns the bound.
double SpectrumBound::find_terms() {
  const Index last = values_.size() - 1;
  terms_.resize(low_.size());
  for (Index j = 0; j < terms_.size(); ++j) {
    terms_[j] = up(borders_(j, last), j) - prices_[j];
  }
  scratch_.assign(terms_.begin(), terms_.end());
  return constant_ + sum_of_largest(missing_);
}

/// The places of the candidates of largest terms.
std::vector<Index> SpectrumBound::leading_places() const {
  std::vector<Index> places(static_cast<std::size_t>(terms_.size()));
  std::iota(places.begin(), places.end(), Index{0});
  const auto count = std::min<std::ptrdiff_t>(missing_ + kManyTerms, std::ssize(places));
  std::partial_sort(places.begin(), places.begin() + count, places.end(), [&](Index a, Index b) {
    return terms_[a] != terms_[b] ? terms_[a] > terms_[b] : a < b;
  });
  places.resize(static_cast<std::size_t>(count));
  return places;
}

bool SpectrumBound::weigh(const LoadingFamily& family, double least) {
  if (!begin(family, least)) {
    return false;
  }
  double bound = find_terms();
  for (int round = 0; round < kRounds && bound > least; ++round) {
    find_largest_limit();
    narrow_parts();
    for (const Index j : leading_places()) {
      narrow_loading(family, j);
    }
    const double before = std::exchange(bound, find_terms());
    if (!(before - bound > kPromisingRound * (before - least))) {
      break;
    }
  }
  return true;
}

void SpectrumBound::narrow(LoadingFamily& family) const {
  const Index last = values_.size() - 1;
  const auto part_of = [&](Index place) {
    Limits limits{.low = vectors_(place, last), .high = vectors_(place, last)};
    for (Index t = 0; t < last; ++t) {
      const Limits& part = parts_[static_cast<std::size_t>(t)];
      const double one = vectors_(place, t) * part.low;
      const double other = vectors_(place, t) * part.high;
      limits.low += std::min(one, other);
      limits.high += std::max(one, other);
    }
    return Limits{.low = limits.low - kLoadingRounding, .high = limits.high + kLoadingRounding};
  };
  const Limits leader = part_of(0);  // 1 / tau
  if (!(leader.low > kSmallestTau)) {
    return;
  }
  const auto over_leader = [&](const Limits& limits) {
    return Limits{.low = limits.low > 0 ? limits.low / leader.high : limits.low / leader.low,
                  .high = limits.high > 0 ? limits.high / leader.low : limits.high / leader.high};
  };
  const auto take = [&](int l, const Limits& limits) {
    family.high[l] = std::min(family.high[l], limits.high);
    family.low[l] = std::max(family.low[l], limits.low);
  };
  for (Index t = 1; t <= last; ++t) {
    take(family.chosen[static_cast<std::size_t>(t)], over_leader(part_of(t)));
  }
  for (std::size_t j = 0; j < family.candidates.size(); ++j) {
    const auto place = static_cast<Index>(j);
    take(family.candidates[j], over_leader({.low = low_[place] - kLoadingRounding,
                                            .high = high_[place] + kLoadingRounding}));
  }
}

}  // namespace spca

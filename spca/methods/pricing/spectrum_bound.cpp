#include "spca/methods/pricing/spectrum_bound.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/relaxations/factored_covariance.h"

namespace spca {
namespace {

// The bound is used only if tau exceeds this, and narrows loadings only if 1 / tau does.
constexpr double kSmallestTau = 1e-3;
// At most this number of rounds narrow the limits. Eight were no better than two:
// bench/notes/2026-11-23-branch-price.md.
constexpr int kNarrowingRounds = 2;
// The most that rounding may add to a loading.
constexpr double kLoadingRounding = 1e-9;

/// Returns an upper limit of the t in [0, limit] with slope t <= sum(t), for a convex `sum`: the
/// zero of the chord of slope t - sum(t) from 0 to `limit`, or `limit` if that difference is not
/// positive there. `some` is a lower bound on sum(limit) that saves computing it.
template <class Sum>
double chord(double limit, double slope, double some, const Sum& sum) {
  if (!(slope * limit - some > 0)) {
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

SpectrumBound::SpectrumBound(const Matrix& matrix, const SupportPricing& pricing, Index k)
    : matrix_(matrix),
      pricing_(pricing),
      k_(k),
      scale_(matrix.diagonal().maxCoeff() > 0 ? matrix.diagonal().maxCoeff() : 1) {}

/// Limits of the sum of weights times loadings of the chosen variables.
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

/// The most that rounding may add to a sum.
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
  in_part_.begin(n, missing_);
  in_row_.begin(n, missing_ - 1);
  entries_.clear();
  begins_.assign(static_cast<std::size_t>(n), -1);
  for (Index j = 0; j < n; ++j) {
    const int l = family.candidates[static_cast<std::size_t>(j)];
    const Limits limits = over_tau({.low = family.low[l], .high = family.high[l]});
    low_[j] = limits.low;
    high_[j] = limits.high;
  }
  borders_.noalias() = matrix_(family.candidates, family.chosen) * vectors_;
  work_ += static_cast<double>(n * chosen * chosen);
  constant_ = values_[chosen - 1] - paid;
  return true;
}

/// Sets lifts_ to the largest possible value of s z_j for each candidate j, s = sign entries_j.
void SpectrumBound::lift(double sign, const Eigen::Ref<const Vector>& entries) {
  lifts_ = (sign * entries).cwiseProduct(low_).cwiseMax((sign * entries).cwiseProduct(high_));
  work_ += static_cast<double>(lifts_.size());
}

/// Returns a lower bound on the sum of the largest terms: the sum of the positive terms of the
/// candidates `some`, whose terms were largest in an earlier sum.
template <class Entry>
double SpectrumBound::sum_of_some(const std::vector<Index>& some, double sign, double times,
                                  const Entry& entry) {
  double sum = 0;
  for (const Index j : some) {
    sum += std::max(0.0, up(sign * entry(j), j) - times * prices_[j]);
  }
  work_ += static_cast<double>(some.size());
  return sum;
}

/// Narrows the limits of y by (2).
void SpectrumBound::narrow_parts() {
  for (Index t = 0; t < std::ssize(parts_); ++t) {
    const auto largest = [&](double sign, double limit) {
      if (!(limit > 0)) {
        return limit;
      }
      const double some =
          sum_of_some(in_part_.positions(), sign, limit, [&](Index j) { return borders_(j, t); });
      bool is_lifted = false;
      return chord(limit, target_ - values_[t], some, [&](double y) {
        if (!std::exchange(is_lifted, true)) {
          lift(sign, borders_.col(t));
        }
        return in_part_.sum(lifts_, y, prices_) + rounding();
      });
    };
    Limits& part = parts_[static_cast<std::size_t>(t)];
    part.high = largest(1, part.high);
    part.low = -largest(-1, -part.low);
  }
}

/// S_jl for all candidates l other than j; the entry of j is zero.
Eigen::Map<const Vector> SpectrumBound::entries_of(const LoadingFamily& family, Index j) {
  std::ptrdiff_t& begin = begins_[static_cast<std::size_t>(j)];
  if (begin < 0) {
    begin = std::ssize(entries_);
    const auto column = matrix_.col(family.candidates[static_cast<std::size_t>(j)]);
    for (const int l : family.candidates) {
      entries_.push_back(column[l]);
    }
    entries_[static_cast<std::size_t>(begin + j)] = 0;
    work_ += static_cast<double>(low_.size());
  }
  return {entries_.data() + begin, low_.size()};
}

/// Narrows the limits of one candidate by (3).
void SpectrumBound::narrow_loading(const LoadingFamily& family, Index j) {
  const Index last = values_.size() - 1;
  const auto variable_of = [&](Index l) { return family.candidates[static_cast<std::size_t>(l)]; };
  const auto column = matrix_.col(variable_of(j));
  const auto largest = [&](double sign, double limit) {
    if (!(limit > 0)) {
      return limit;
    }
    double given = sign * borders_(j, last);
    for (Index t = 0; t < last; ++t) {
      const Limits& part = parts_[static_cast<std::size_t>(t)];
      given += std::max(sign * borders_(j, t) * part.low, sign * borders_(j, t) * part.high);
    }
    const double some = sum_of_some(in_row_.positions(), sign, limit,
                                    [&](Index l) { return l == j ? 0 : column[variable_of(l)]; });
    bool is_lifted = false;
    return chord(limit, target_ + prices_[j] - column[variable_of(j)], given + some, [&](double z) {
      if (!std::exchange(is_lifted, true)) {
        lift(sign, entries_of(family, j));
      }
      return given + rounding() + in_row_.sum(lifts_, z, prices_);
    });
  };
  high_[j] = largest(1, high_[j]);
  low_[j] = -largest(-1, -low_[j]);
}

void SpectrumBound::find_largest_limit() {
  largest_limit_ = std::max({1.0, high_.maxCoeff(), -low_.minCoeff()});
}

/// Computes the terms by (1). Returns the bound.
double SpectrumBound::find_terms() {
  const Index last = values_.size() - 1;
  terms_.resize(low_.size());
  for (Index j = 0; j < terms_.size(); ++j) {
    terms_[j] = up(borders_(j, last), j) - prices_[j];
  }
  scratch_.assign(terms_.begin(), terms_.end());
  work_ += 2 * static_cast<double>(terms_.size());
  return constant_ + sum_of_largest(scratch_, missing_);
}

/// The indices of the candidates with the largest terms.
std::vector<Index> SpectrumBound::leading_positions() const {
  std::vector<Index> positions(static_cast<std::size_t>(terms_.size()));
  std::iota(positions.begin(), positions.end(), Index{0});
  const auto count = std::min<std::ptrdiff_t>(missing_ + kExtraCandidates, std::ssize(positions));
  std::partial_sort(
      positions.begin(), positions.begin() + count, positions.end(),
      [&](Index a, Index b) { return terms_[a] != terms_[b] ? terms_[a] > terms_[b] : a < b; });
  positions.resize(static_cast<std::size_t>(count));
  return positions;
}

bool SpectrumBound::weigh(const LoadingFamily& family, double least) {
  if (!begin(family, least)) {
    return false;
  }
  double bound = find_terms();
  for (int round = 0; round < kNarrowingRounds && bound > least; ++round) {
    find_largest_limit();
    narrow_parts();
    for (const Index j : leading_positions()) {
      narrow_loading(family, j);
    }
    const double before = std::exchange(bound, find_terms());
    if (!(before - bound > kPromisingNarrowing * (before - least))) {
      break;
    }
  }
  return true;
}

void SpectrumBound::narrow(LoadingFamily& family) const {
  const Index last = values_.size() - 1;
  const auto part_of = [&](Index position) {
    Limits limits{.low = vectors_(position, last), .high = vectors_(position, last)};
    for (Index t = 0; t < last; ++t) {
      const Limits& part = parts_[static_cast<std::size_t>(t)];
      const double one = vectors_(position, t) * part.low;
      const double other = vectors_(position, t) * part.high;
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
  const auto narrow = [&](int l, const Limits& limits) {
    family.high[l] = std::min(family.high[l], limits.high);
    family.low[l] = std::max(family.low[l], limits.low);
  };
  for (Index t = 1; t <= last; ++t) {
    narrow(family.chosen[static_cast<std::size_t>(t)], over_leader(part_of(t)));
  }
  for (std::size_t j = 0; j < family.candidates.size(); ++j) {
    const auto position = static_cast<Index>(j);
    narrow(family.candidates[j], over_leader({.low = low_[position] - kLoadingRounding,
                                              .high = high_[position] + kLoadingRounding}));
  }
}

}  // namespace spca

#include "spca/methods/pricing/loading_bound.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "spca/dense/dense_selections.h"
#include "spca/methods/relaxations/factored_covariance.h"

namespace spca {
namespace {

// Negative entries are few if their share of the sum of squares off the diagonal is at most this.
// Centred word counts have .02 to .21, genes .38 to .50. On colon500, of genes, the spectrum did
// not pay: bench/notes/2026-11-23-branch-price.md.
constexpr double kFewSigns = 0.3;

LoadingBound::Signs signs_of(const Matrix& matrix) {
  if (matrix.minCoeff() >= 0) {
    return LoadingBound::Signs::kNone;
  }
  const double all = matrix.squaredNorm() - matrix.diagonal().squaredNorm();
  const double negative = matrix.cwiseMin(0).squaredNorm();
  return negative <= kFewSigns * all ? LoadingBound::Signs::kFew : LoadingBound::Signs::kMany;
}

// The share of the target in the scale of a variable, as measured on words for k = 10, 15 and 20,
// and on genes (bench/notes/2026-11-23-branch-price.md). The smaller it is, the smaller are the
// loadings of variables without a price in other families, and the more supports these variables
// lead.
double target_in_scale(Index k, LoadingBound::Signs signs) {
  constexpr double kOfManySigns = 0.2;
  constexpr double kOfFewVariables = 0.08;
  const double of_many = signs == LoadingBound::Signs::kNone ? 0.03 : 0.05;  // for large k
  return signs == LoadingBound::Signs::kMany
             ? kOfManySigns
             : std::clamp(0.18 - 0.01 * static_cast<double>(k), of_many, kOfFewVariables);
}

// Scales stay above the root of this share of the largest variance.
constexpr double kSmallestScaleShare = 1e-6;
// The limits of the candidates in the sum are narrowed at most this number of times before those of
// many are. Chosen by trial, not measured.
constexpr int kSmallSteps = 8;

}  // namespace

LoadingBound::LoadingBound(const Matrix& matrix, const SupportPricing& pricing, Index k,
                           const StrongestEntries& strongest)
    : matrix_(matrix),
      pricing_(pricing),
      k_(k),
      scale_(matrix.diagonal().maxCoeff() > 0 ? matrix.diagonal().maxCoeff() : 1),
      signs_(signs_of(matrix)),
      scales_((pricing.prices.array() + target_in_scale(k, signs_) * std::max(pricing.target, 0.0) +
               kSmallestScaleShare * scale_)
                  .sqrt()),
      is_candidate_(static_cast<std::size_t>(matrix.rows())),
      strongest_(strongest),
      spectrum_(matrix, pricing, k),
      dominance_(matrix, pricing, k, strongest) {}

LoadingFamily LoadingBound::of_leader(Index leader) const {
  LoadingFamily family;
  family.chosen = {static_cast<int>(leader)};
  family.candidates = all_candidates(matrix_.rows());
  family.candidates.erase(family.candidates.begin() + static_cast<std::ptrdiff_t>(leader));
  family.high = scales_ / scales_[leader];
  family.high[leader] = 1;
  family.low = signs_ == Signs::kNone ? Vector(Vector::Zero(matrix_.rows())) : Vector(-family.high);
  family.low[leader] = 1;
  return family;
}

namespace {

/// The largest possible value of s x_l.
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

/// Applies (2) to the family and to single candidates. Returns whether the family is open.
bool LoadingBound::settle(LoadingFamily& family, double least) {
  const int leader = family.leader();
  double total = kBoundRounding * scale_;
  for (const int l : family.chosen) {
    total += up(matrix_(leader, l), family, l) - pricing_.prices[l];
  }
  Worths worths;
  for (const int l : family.candidates) {
    worths.emplace_back(worth(family, l), l);
  }
  return settle_by(family, least, total, std::move(worths)) && obey_rules(family);
}

/// The same as settle(), by the terms of another bound, after its weigh().
template <class Bound>
bool LoadingBound::settle_by_terms(LoadingFamily& family, double least, const Bound& bound) {
  bound.narrow(family);
  Worths worths;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < family.candidates.size(); ++t) {
    const int l = family.candidates[t];
    worths.emplace_back(bound.terms()[static_cast<Index>(t)], l);
    const double lift = worths.back().first + pricing_.prices[l];
    if (lift > most) {
      most = lift;
      family.lifting = l;
    }
  }
  return settle_by(family, least, bound.constant() + kBoundRounding * scale_, std::move(worths)) &&
         obey_rules(family);
}

/// The same as settle(), by dominance_bound.h and spectrum_bound.h. Dominance is left out without
/// negative entries, because the limits close the families that it would close; the spectrum is
/// left out with many, because the limits then say little of its tau.
bool LoadingBound::settle_by_spectrum(LoadingFamily& family, double least) {
  if (signs_ != Signs::kNone && dominance_.weigh(family, least) &&
      !settle_by_terms(family, least, dominance_)) {
    return false;
  }
  return signs_ == Signs::kMany || !spectrum_.weigh(family, least) ||
         settle_by_terms(family, least, spectrum_);
}

/// The bound is the total plus the largest worths, one for each missing variable.
bool LoadingBound::settle_by(LoadingFamily& family, double least, double total, Worths worths) {
  const auto missing = static_cast<std::ptrdiff_t>(k_ - std::ssize(family.chosen));
  const auto sorted = std::min(missing + kExtraCandidates, std::ssize(worths));
  std::partial_sort(worths.begin(), worths.begin() + sorted, worths.end(), std::greater<>());
  double last = std::numeric_limits<double>::infinity();   // the least worth in the sum
  double next = -std::numeric_limits<double>::infinity();  // the largest worth of the others
  for (auto position = worths.begin(); position != worths.end(); ++position) {
    if (position < worths.begin() + missing) {
      total += position->first;
      last = std::min(last, position->first);
    } else {
      next = std::max(next, position->first);
    }
  }
  family.bound = std::min(family.bound, total);
  if (!(family.bound > least)) {
    return false;
  }
  family.candidates.clear();
  for (auto position = worths.begin(); position != worths.end(); ++position) {
    const auto& [own, l] = *position;
    if (position < worths.begin() + missing) {
      const bool is_needed = !(total - own + next > least);
      (is_needed ? family.chosen : family.candidates).push_back(l);
    } else if (missing > 0 && total - last + own > least) {
      family.candidates.push_back(l);
    }
  }
  return true;
}

/// The sum of the `count` largest positive up(sign S_jl, l) - t q_l, with l other than j.
double LoadingBound::largest_sum(const LoadingFamily& family, int j, double sign, double t,
                                 Index count) {
  return strongest_.largest_sum(
      j, count, largest_limit_,
      [&](int l, double entry) {
        return is_candidate_[static_cast<std::size_t>(l)] == 0 || l == j
                   ? 0.0
                   : up(sign * entry, family, l) - t * pricing_.prices[l];
      },
      scratch_, work_);
}

/// The largest possible value of sign x_j, by (3), not above its present limit. 0 if (3) shows that
/// it cannot be positive.
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
  const Index count = chosen.missing - (is_chosen ? 0 : 1);
  // Both ends are lowered by the most that rounding may add.
  const double rounding = kBoundRounding * scale_ * std::max(1.0, family.high.maxCoeff());
  const double at_limit =
      slope * limit - given - largest_sum(family, j, sign, limit, count) - rounding;
  if (!(at_limit > 0)) {
    return limit;
  }
  const double at_zero = -given - largest_sum(family, j, sign, 0, count) - rounding;
  return at_zero > 0 ? 0 : limit * (-at_zero) / (at_limit - at_zero);
}

void LoadingBound::narrow(LoadingFamily& family, double least, Extent extent) {
  Chosen chosen{.least = least, .missing = k_ - std::ssize(family.chosen)};
  for (const int l : family.chosen) {
    chosen.paid += pricing_.prices[l];
  }
  std::fill(is_candidate_.begin(), is_candidate_.end(), 0);
  largest_limit_ = 0;
  for (const int l : family.candidates) {
    is_candidate_[static_cast<std::size_t>(l)] = 1;
    largest_limit_ = std::max({largest_limit_, family.high[l], -family.low[l]});
  }
  const auto narrow_one = [&](int j, bool is_chosen) {
    family.high[j] = largest_loading(family, chosen, j, is_chosen, 1);
    family.low[j] = -largest_loading(family, chosen, j, is_chosen, -1);
  };
  for (std::size_t t = 1; t < family.chosen.size(); ++t) {
    narrow_one(family.chosen[t], true);
  }
  const std::ptrdiff_t count = chosen.missing + (extent == Extent::kMany ? kExtraCandidates : 0);
  for (std::ptrdiff_t t = 0; t < std::min(count, std::ssize(family.candidates)); ++t) {
    narrow_one(family.candidates[static_cast<std::size_t>(t)], false);
  }
}

/// Narrows the limits once. Returns whether that improved the bound enough, or chose a variable.
bool LoadingBound::step(LoadingFamily& family, double least, Extent extent) {
  const double before = family.bound;
  const auto known = family.chosen.size();
  narrow(family, least, extent);
  if (!settle(family, least)) {
    family.bound = least;
    return false;
  }
  return before - family.bound > kPromisingNarrowing * (before - least) ||
         family.chosen.size() > known;
}

bool LoadingBound::narrow_often(LoadingFamily& family, double least, int times) {
  bool is_promising = true;
  for (int time = 0; time < times && is_promising; ++time) {
    // The candidates in the sum come first: they are few, and often they suffice.
    for (int small = 0; small < kSmallSteps && step(family, least, Extent::kInSum); ++small) {
    }
    is_promising = family.bound > least && step(family, least, Extent::kMany);
  }
  return family.bound > least;
}

bool LoadingBound::reduce(LoadingFamily& family, double least, int times) {
  const bool is_open = obey_rules(family) && settle(family, least) &&
                       settle_by_spectrum(family, least) && narrow_often(family, least, times) &&
                       settle_by_spectrum(family, least);
  family.bound = is_open ? std::max(family.bound, least) : least;
  return family.bound > least;
}

}  // namespace spca

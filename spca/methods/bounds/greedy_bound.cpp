#include "spca/methods/bounds/greedy_bound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "spca/base/tolerances.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/sparsify.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// At most this number of gaps between overlaps are tried: each costs an eigenvalue.
constexpr std::size_t kGaps = 4;
// Cardinalities of the other supports that are tried, relative to k. If the k-th and the next
// overlap are close, the bound may be far from tight, but nearly tight with the x of another
// cardinality, which may have a wider gap.
constexpr std::array<double, 6> kOtherSizes = {0.25, 0.5, 0.75, 1.5, 2.5, 4};
constexpr int kGoldenSteps = 10;  // 0.618^10 leaves less than a hundredth of the gap
// The least relative width of a gap. Narrower gaps lie between values that only rounding separates.
constexpr double kNarrowestGap = 1e-9;
constexpr double kNoBound = std::numeric_limits<double>::infinity();

struct Gap {
  double low = 0;
  double high = 0;
  double width() const { return (high - low) / high; }
};

/// Returns at most kGaps gaps between neighbouring c_i^2: above the (t+1)-th largest, for t from
/// k / 2 to 2 k. The gap of t = k comes first, then the widest.
///
/// As rho comes near some c_i^2 from either side, y_i grows without limit, and so does the bound:
/// good values of rho lie far from all c_i^2. In the t-th gap t variables have c_i^2 > rho.
std::vector<Gap> promising_gaps(const Vector& overlaps, Index k) {
  std::vector<double> squares;
  for (const double c : overlaps) {
    squares.push_back(c * c);
  }
  std::sort(squares.begin(), squares.end(), std::greater<>());
  squares.push_back(0);
  std::vector<Gap> gaps;
  for (Index t = std::max(k / 2, Index{1}); t <= std::min(2 * k, overlaps.size()); ++t) {
    const Gap gap{.low = squares[static_cast<std::size_t>(t)],
                  .high = squares[static_cast<std::size_t>(t - 1)]};
    if (gap.high > 0 && gap.width() > kNarrowestGap) {
      gaps.insert(t == k ? gaps.begin() : gaps.end(), gap);
    }
  }
  if (!gaps.empty()) {
    std::stable_sort(gaps.begin() + 1, gaps.end(),
                     [](const Gap& a, const Gap& b) { return a.width() > b.width(); });
    gaps.resize(std::min(gaps.size(), kGaps));
  }
  return gaps;
}

}  // namespace

GreedyOverlaps greedy_overlaps(const Covariance& covariance, const Component& v) {
  Vector product;
  covariance.multiply(v, product);
  const double shift = covariance.semidefinite_shift();
  double terms = 0;  // the sum of |v_i| ||a_i||, which bounds the terms of ||Av||
  for (Index i = 0; i < v.cardinality(); ++i) {
    const Index j = v.support[static_cast<std::size_t>(i)];
    product[j] += shift * v.values[i];
    terms += std::abs(v.values[i]) * std::sqrt(covariance.diagonal()[j] + shift);
  }
  const double length = std::sqrt(covariance.quadratic_form(v) + shift * v.values.squaredNorm());
  const auto p = static_cast<double>(covariance.variables());
  return {.values = product / length,
          .rounding = (16 + 2 * std::sqrt(p)) * kEpsilon * std::max(terms / length, 1.0)};
}

// y_i of the header, each as a multiple of a_i less a multiple of x. If c_i^2 > rho,
// B_i x = c_i a_i - rho x and x'B_i x = c_i^2 - rho. Otherwise ||p_i||^2 = ||a_i||^2 - c_i^2.
GreedyDual greedy_dual(const Covariance& covariance, const GreedyOverlaps& overlaps, double rho) {
  const Index p = overlaps.values.size();
  GreedyDual dual{
      .rho = rho, .overlaps = overlaps, .alpha = Vector::Zero(p), .beta = Vector::Zero(p)};
  for (Index i = 0; i < p; ++i) {
    const double c = overlaps.values[i];
    const double square = c * c;
    const double length = covariance.diagonal()[i] + covariance.semidefinite_shift();
    // The rounding of ||a_i||^2; that of c_i^2 is a quarter of it.
    const double rounding = 4 * overlaps.rounding * std::max(length, square);
    // The difference of c_i^2 and rho has lost digits, and a longer y_i gives a larger Y_i.
    const double growth = 1 + 8 * kEpsilon * (1 + (square + rho) / std::abs(square - rho));
    if (square > rho) {
      const double root = std::sqrt(square - rho);
      dual.alpha[i] = growth * c / root;
      dual.beta[i] = growth * rho / root;
    } else if (length + rounding > rho) {
      // ||p_i||^2 is larger than rho - c_i^2; if rounding hides it, there is no bound.
      const double left = std::max(length - square - 2 * rounding, 0.0);
      const double scale = rho * (length + rounding - rho) / (rho - square);
      dual.alpha[i] = growth * std::sqrt(scale / left);
      dual.beta[i] = dual.alpha[i] * c;
    }
  }
  return dual;
}

double greedy_bound(const Covariance& covariance, const GreedyDual& dual, Index k) {
  const double shift = covariance.semidefinite_shift();
  const double of_rho = dual.rho * static_cast<double>(k);
  Support active;
  for (Index i = 0; i < dual.alpha.size(); ++i) {
    if (dual.alpha[i] != 0) {
      active.push_back(i);
    }
  }
  if (active.empty()) {  // all Y_i are zero: no variance exceeds rho
    return of_rho - shift;
  }
  if (std::ssize(active) > kLargestActive) {
    return kNoBound;
  }
  const Vector alpha = dual.alpha(active);
  const Vector beta = dual.beta(active);
  const Vector cross = alpha.cwiseProduct(dual.overlaps.values(active));
  // Y'Y: y_i'y_j = alpha_i alpha_j S_ij - alpha_i c_i beta_j - beta_i alpha_j c_j + beta_i beta_j.
  Matrix gram = covariance.submatrix(active);
  gram.diagonal().array() += shift;
  gram = scaled_both_sides(gram, alpha);
  gram += beta * beta.transpose() - beta * cross.transpose() - cross * beta.transpose();
  if (!gram.allFinite()) {
    return kNoBound;
  }
  // Every term of the entry ij is at most (alpha_i ||a_i|| + beta_i) (alpha_j ||a_j|| + beta_j).
  const Vector lengths = (covariance.diagonal()(active).array() + shift).sqrt();
  const double terms = alpha.cwiseProduct(lengths).norm() + beta.norm();
  const double rounding = 2 * dual.overlaps.rounding * terms * terms;
  return (of_rho + largest_eigenvalue_bound(gram) + rounding) * (1 + 8 * kEpsilon) - shift;
}

namespace {

/// The best gap so far, with the bound in its middle, its x and the overlaps of x.
struct BestGap {
  double bound = kNoBound;
  Gap gap;
  Component vector;
  GreedyOverlaps overlaps;
};

void try_gaps_of(const Covariance& covariance, const Component& v, Index k,
                 const std::function<bool()>& keep_going, BestGap& best) {
  const GreedyOverlaps overlaps = greedy_overlaps(covariance, v);
  for (const Gap& gap : promising_gaps(overlaps.values, k)) {
    if (!keep_going()) {
      return;
    }
    const double bound =
        greedy_bound(covariance, greedy_dual(covariance, overlaps, (gap.low + gap.high) / 2), k);
    if (bound < best.bound) {
      best = {.bound = bound, .gap = gap, .vector = v, .overlaps = overlaps};
    }
  }
}

/// Returns the least bound found with rho in the gap, by golden section: between two poles the
/// bound falls and rises again. If it has several minima, any of them is a valid bound.
GreedyBound best_in_gap(const Covariance& covariance, const BestGap& start, Index k,
                        const std::function<bool()>& keep_going) {
  GreedyBound best{
      .value = start.bound, .vector = start.vector, .rho = (start.gap.low + start.gap.high) / 2};
  const auto bound_at = [&](double rho) {
    const double bound = greedy_bound(covariance, greedy_dual(covariance, start.overlaps, rho), k);
    if (bound < best.value) {
      best.value = bound;
      best.rho = rho;
    }
    return bound;
  };
  const double share = (std::sqrt(5.0) - 1) / 2;
  auto [low, high] = start.gap;
  double left = high - share * (high - low);
  double right = low + share * (high - low);
  double at_left = bound_at(left);
  double at_right = bound_at(right);
  for (int step = 0; step < kGoldenSteps && keep_going(); ++step) {
    if (at_left < at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - share * (high - low);
      at_left = bound_at(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + share * (high - low);
      at_right = bound_at(right);
    }
  }
  return best;
}

}  // namespace

GreedyBound greedy_bound(const Covariance& covariance, const Component& v, Index k) {
  return greedy_bound(covariance, v, k, [] { return true; });
}

GreedyBound greedy_bound(const Covariance& covariance, const Component& v, Index k,
                         const std::function<bool()>& keep_going) {
  if (!(covariance.quadratic_form(v) > 0)) {
    return {};
  }
  BestGap best;
  try_gaps_of(covariance, v, k, keep_going, best);
  const Vector overlaps = greedy_overlaps(covariance, v).values;
  const auto positive = (overlaps.array() != 0).count();
  for (const double share : kOtherSizes) {
    const auto size = static_cast<Index>(std::round(share * static_cast<double>(k)));
    if (size >= 1 && size != k && size <= positive && keep_going()) {
      try_gaps_of(covariance, best_on_support(covariance, top_k(overlaps, size)).component, k,
                  keep_going, best);
    }
  }
  return best.bound == kNoBound ? GreedyBound{} : best_in_gap(covariance, best, k, keep_going);
}

}  // namespace spca

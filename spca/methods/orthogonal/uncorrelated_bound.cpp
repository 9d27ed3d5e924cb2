#include "spca/methods/orthogonal/uncorrelated_bound.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "spca/dense/dense_decompositions.h"
#include "spca/methods/orthogonal/certified_maximum.h"
#include "spca/methods/orthogonal/price_bundle.h"
#include "spca/methods/orthogonal/priced_problem.h"
#include "spca/methods/orthogonal/uncorrelated_tuples.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// The share of the remaining time for the largest values of one component, for each number of
// components before the last, and for one certified search of a bundle.
constexpr double kShareOfOne = 0.2;
constexpr double kShareOfFewer = 0.3;
constexpr double kShareOfMaximum = 0.3;
// The bound is computed with lower h_t at most this many times, and again only if it fell by this
// share of its distance from the value.
constexpr int kRefinements = 4;
constexpr double kWorthRefining = 0.02;
// The accuracy of a bound on fewer components, which only limits the values of the others.
constexpr double kAccuracyOfFewer = 1e-4;
// h_t is raised by this share against rounding, as are the other bounds.
constexpr double kRoundingOfLimits = 1e-10;

/// The best prices on all components, with what they were found for.
struct Prices {
  double total = std::numeric_limits<double>::infinity();
  Matrix factor = {};
  PriceLift lift = {};
  std::vector<double> limits = {};
  std::vector<double> scales = {};
};

class UncorrelatedPrices {
 public:
  UncorrelatedPrices(const UncorrelatedRequest& request, Budget& budget)
      : request_(request), budget_(budget), pairs_(symmetric_eigenpairs(request.matrix)) {
    largest_ = pairs_.values[pairs_.values.size() - 1];
  }

  UncorrelatedBound run() {
    const auto r = std::ssize(request_.cardinality);
    bound_.value = eigenvalues(r);
    if (!(largest_ > 0)) {
      return bound_;
    }
    root_ = symmetric_root(pairs_);
    const std::map<Index, double> most = largest_values();
    double sum = 0;
    for (const Index k : request_.cardinality) {
      sum += most.at(k);
      limits_.push_back(most.at(k));
    }
    lower(sum);
    if (most.size() == 1) {
      by_number(r);
    } else {
      lower(relaxed(limits_, bound_.value, target(), 1, request_.accuracy));
    }
    divide();
    return bound_;
  }

 private:
  double target() const { return (1 + request_.accuracy) * request_.value; }

  /// The sum of the t largest eigenvalues.
  double eigenvalues(Index t) const {
    return pairs_.values.tail(t).cwiseMax(0).sum() + kRoundingOfValues * largest_;
  }

  void lower(double bound) {
    bound_.value = std::min(bound_.value, bound);
    budget_.add_bound(bound_.value, kNotMeasured);
  }

  /// Bounds the value of one component of each cardinality.
  std::map<Index, double> largest_values() {
    std::map<Index, double> most;
    for (const Index k : request_.cardinality) {
      if (!most.contains(k)) {
        const Budget part = budget_.part(kShareOfOne);
        const MaximumRequest one{
            .k = k, .gains = Vector::Zero(request_.matrix.rows()), .threads = request_.threads};
        most[k] = std::min(certified_maximum(request_.matrix, one, part).bound, eigenvalues(1));
      }
    }
    return most;
  }

  /// For components of one cardinality in descending order of value.
  void by_number(Index r) {
    std::vector<double> limits = {limits_[0]};
    double fewer = limits_[0];  // B_{t-1}
    for (Index t = 2; t <= r && bound_.value > target(); ++t) {
      const bool is_last = t == r;
      const auto times = static_cast<double>(t);
      const double goal = is_last ? target() : 0;
      double bound = std::min(eigenvalues(t), fewer + fewer / (times - 1));
      limits.push_back(std::min(limits.back(), fewer / (times - 1)));
      const double share = is_last ? 1 : kShareOfFewer;
      const double accuracy = is_last ? request_.accuracy : kAccuracyOfFewer;
      for (int round = 0; round <= kRefinements && bound > goal && !budget_.is_time_up(); ++round) {
        const double before = bound;
        limits.back() = std::min(limits.back(), bound / times);
        bound = std::min(bound, relaxed(limits, bound, goal, share, accuracy));
        if (is_last) {
          lower(bound);
        }
        const bool is_lower = bound / times < limits.back();
        if (!is_lower || before - bound < kWorthRefining * (bound - request_.value)) {
          break;
        }
      }
      fewer = bound;
      lower(bound * static_cast<double>(r) / times);  // the others are at most the mean of these
    }
  }

  /// (1) for components whose values are at most these limits.
  double relaxed(const std::vector<double>& limits, double bound, double goal, double share,
                 double accuracy) {
    std::vector<PricedPart> parts;
    std::vector<double> scales;
    for (std::size_t t = 0; t < limits.size(); ++t) {
      scales.push_back(limits[0] / (limits[t] * (1 + kRoundingOfLimits)));
      const PricedPart part = {.k = request_.cardinality[t], .scale = scales.back()};
      const auto same = std::find_if(parts.begin(), parts.end(), [&](const PricedPart& other) {
        return other.k == part.k && other.scale == part.scale;
      });
      if (same == parts.end()) {
        parts.push_back(part);
      } else {
        same->count += 1;
      }
    }
    const Budget part = budget_.part(share);
    const PriceLift lift(root_ / std::sqrt(limits[0]), request_.of_loadings);
    PriceBundle bundle = minimise_prices({.matrix = request_.matrix,
                                          .parts = parts,
                                          .lift = lift,
                                          .known = request_.known,
                                          .first = first(std::ssize(limits)),
                                          .largest = largest_,
                                          .bound = bound,
                                          .target = goal,
                                          .accuracy = accuracy,
                                          .share = kShareOfMaximum,
                                          .by_pairs = parts.size() > 1,
                                          .threads = request_.threads},
                                         part, budget_);
    bound_.oracles += bundle.oracles;
    if (limits.size() == request_.cardinality.size() && bundle.total < prices_.total) {
      prices_ = {.total = bundle.total,
                 .factor = std::move(bundle.point.factor),
                 .lift = lift,
                 .limits = limits,
                 .scales = std::move(scales)};
    }
    return bundle.bound;
  }

  /// Divides the problem by all supports, at the best prices.
  void divide() {
    if (bound_.value > target() && std::isfinite(prices_.total) && !budget_.is_time_up()) {
      lower(bound_by_tuples({.matrix = request_.matrix,
                             .cardinality = request_.cardinality,
                             .limits = prices_.limits,
                             .factor = prices_.factor,
                             .lift = prices_.lift,
                             .scales = prices_.scales,
                             .of_loadings = request_.of_loadings,
                             .bound = bound_.value,
                             .target = target()},
                            budget_));
    }
  }

  /// Where the descent starts: at the factor of orthonormal components, for both conditions.
  Matrix first(Index t) const {
    const Matrix factor = first_factor(request_.matrix, t);
    if (!request_.of_loadings) {
      return factor;
    }
    Matrix both(2 * factor.rows(), factor.cols());
    both << factor, factor;
    return both * std::sqrt(0.5);
  }

  const UncorrelatedRequest& request_;
  Budget& budget_;
  SymmetricEigenpairs pairs_;
  Matrix root_;
  double largest_ = 0;
  std::vector<double> limits_;  // h_t from one component
  Prices prices_;
  UncorrelatedBound bound_;
};

}  // namespace

UncorrelatedBound uncorrelated_bound(const UncorrelatedRequest& request, Budget& budget) {
  return UncorrelatedPrices(request, budget).run();
}

}  // namespace spca

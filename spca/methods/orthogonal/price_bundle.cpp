#include "spca/methods/orthogonal/price_bundle.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "spca/base/binomial.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/methods/orthogonal/certified_maximum.h"
#include "spca/methods/pools/pooled_relaxation.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// Evaluated supports join the pool if they are below the best by at most this share of the largest
// eigenvalue of S (or kNearSmoothing mu, if that is more).
constexpr double kNearBest = 0.01;
// The smoothing mu, relative to the largest eigenvalue of S: first, last, and the factor between
// two.
constexpr double kFirstSmoothing = 0.03;
constexpr double kLastSmoothing = 1e-4;
constexpr double kSmoothingFall = 0.4;
constexpr int kMostRounds = 400;
// After more than this number of rounds in a row without improvement, the smoothing falls, or the
// search ends.
constexpr int kRoundsWithoutGain = 5;
// Supports within this number of mu of the best count in the smoothed model.
constexpr double kNearSmoothing = 4;

std::vector<double> member_of_each(const std::vector<PricedPart>& parts,
                                   double PricedPart::*member) {
  std::vector<double> values;
  for (const PricedPart& part : parts) {
    values.push_back(part.*member);
  }
  return values;
}

class Bundle {
 public:
  Bundle(const PriceBundleRequest& request, const Budget& part)
      : request_(request),
        part_(part),
        model_(request.matrix, member_of_each(request.parts, &PricedPart::count), request.lift,
               member_of_each(request.parts, &PricedPart::scale)),
        mu_(kFirstSmoothing * request.largest) {
    best_.bound = request.bound;
  }

  PriceBundle run(Budget& budget) {
    begin();
    PricePoint point = request_.first;
    int rounds_of_mu = 0;
    for (int round = 0;
         round < kMostRounds && best_.bound > request_.target && keep_going() && budget.next();
         ++round) {
      model_.minimise(point, {.mu = mu_, .keep_going = [this] { return keep_going(); }});
      const double before = model_.value(point);
      // The supports of the ascents matter only if they raise the model.
      const bool has_risen =
          ascend(point) && model_.value(point) > before + request_.accuracy * best_.bound;
      ++rounds_of_mu;
      if (has_shares() && is_smoothed()) {
        if (!has_risen || rounds_of_mu > kRoundsWithoutGain) {
          mu_ *= kSmoothingFall;
          rounds_of_mu = 0;
        }
        model_.trim(point);
        continue;
      }
      if (has_risen && keep_going()) {
        continue;
      }
      if (!certify(point, before)) {
        break;
      }
    }
    best_.supports = model_.size();
    return std::move(best_);
  }

 private:
  /// The first supports of the pools.
  void begin() {
    for (const Support& support : request_.known) {
      for (std::size_t c = 0; c < request_.parts.size(); ++c) {
        if (std::ssize(support) == request_.parts[c].k) {
          model_.add(c, support);
        }
      }
    }
    const PricePoint nowhere{.factor = Matrix::Zero(request_.first.factor.rows(), 1)};
    if (has_shares()) {
      ascend(nowhere);
    } else {
      ask(nowhere);
    }
  }

  /// Certifies f at the point, where the model has this value, and lowers the smoothing. Returns
  /// false if no more is gained.
  bool certify(const PricePoint& point, double model) {
    const double last = best_.bound;
    const Asked asked = ask(point);
    if (request_.ends_inexact && !asked.is_exact) {
      return false;
    }
    idle_ = best_.bound < last * (1 - request_.accuracy) ? 0 : idle_ + 1;
    model_.trim(point);
    const double enough = request_.accuracy * best_.bound;
    if (!is_smoothed()) {
      const bool is_met = has_shares() && asked.value <= model + enough;
      return asked.has_grown && !is_met && idle_ <= kRoundsWithoutGain;
    }
    if (asked.value <= model + std::max(enough, mu_) || idle_ > kRoundsWithoutGain) {
      mu_ *= kSmoothingFall;
      idle_ = 0;
    }
    return true;
  }

  // The value of f at a point, whether a pool has grown, and whether all searches ended.
  struct Asked {
    double value = 0;
    bool has_grown = false;
    bool is_exact = true;
  };

  bool keep_going() const { return !part_.is_time_up(); }
  bool is_smoothed() const { return mu_ > kLastSmoothing * request_.largest; }
  bool has_shares() const { return request_.first.shares.size() > 0; }
  Vector gains_at(const PricePoint& point) const { return point.gains(request_.matrix.rows()); }
  Matrix left_at(const PricePoint& point, double scale) const {
    return left_of(request_.matrix, request_.lift.lifted(point.factor, scale));
  }

  /// Adds the supports that ascents find. Parts whose supports are enumerated soon do without.
  /// Returns whether a pool has grown.
  bool ascend(const PricePoint& point) {
    const Index most = has_shares() ? 0 : kMostSupportsEnumerated;
    bool has_grown = false;
    for (std::size_t c = 0; c < request_.parts.size(); ++c) {
      const auto& [k, count, scale] = request_.parts[c];
      if (binomial(request_.matrix.rows(), k) > most && keep_going()) {
        for (const Support& support :
             local_optima(left_at(point, scale), k, gains_at(point), kNearBest * request_.largest,
                          [this] { return keep_going(); })) {
          has_grown = model_.add(c, support) || has_grown;
        }
      }
    }
    return has_grown;
  }

  Asked ask(const PricePoint& point) {
    const double margin = std::max(kNearBest * request_.largest, kNearSmoothing * mu_);
    double total = point.paid();
    std::vector<double> maxima;
    std::vector<PricingProof> proofs;
    Asked asked;
    for (std::size_t c = 0; c < request_.parts.size(); ++c) {
      const auto& [k, count, scale] = request_.parts[c];
      CertifiedMaximum answer = certified_maximum(left_at(point, scale),
                                                  {.k = k,
                                                   .gains = gains_at(point),
                                                   .margin = margin,
                                                   .by_pairs = request_.by_pairs,
                                                   .share = request_.share,
                                                   .threads = request_.threads},
                                                  part_);
      total += count * answer.bound;
      maxima.push_back(answer.bound);
      proofs.push_back(std::move(answer.proof));
      for (const Support& support : answer.supports) {
        asked.has_grown = model_.add(c, support) || asked.has_grown;
      }
      asked.is_exact = asked.is_exact && answer.is_exact;
    }
    ++best_.oracles;
    best_.bound = std::min(best_.bound, total);
    request_.on_bound(best_.bound);
    asked.value = total;
    if (total < best_.total) {
      best_.total = total;
      best_.maxima = std::move(maxima);
      best_.proofs = std::move(proofs);
      best_.point = point;
    }
    return asked;
  }

  const PriceBundleRequest& request_;
  const Budget& part_;
  PooledRelaxation model_;
  double mu_;
  int idle_ = 0;  // evaluations of f in a row that did not lower the bound
  PriceBundle best_;
};

}  // namespace

Matrix first_factor(const Matrix& matrix, Index r) {
  const Index p = matrix.rows();
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(matrix);
  const Index q = std::min(p, 2 * r + 2);
  const double rest = p > r ? pairs.values[p - r - 1] : 0;
  Matrix factor(p, q);
  const double least = 1e-2 * std::sqrt(std::max(pairs.values[p - 1], 0.0));
  for (Index j = 0; j < q; ++j) {
    const double value = 0.5 * std::max(pairs.values[p - 1 - j] - rest, 0.0);
    factor.col(j) = std::max(std::sqrt(value), least) * pairs.vectors.col(p - 1 - j);
  }
  return factor;
}

PriceBundle minimise_prices(const PriceBundleRequest& request, const Budget& part, Budget& budget) {
  return Bundle(request, part).run(budget);
}

PriceBundle prices_at(const PriceBundleRequest& request, const PricePoint& point,
                      const std::vector<PricingProof>& proofs, Budget& budget) {
  PriceBundle at{.total = point.paid()};
  const Vector gains = point.gains(request.matrix.rows());
  for (std::size_t c = 0; c < request.parts.size(); ++c) {
    const auto& [k, count, scale] = request.parts[c];
    const Matrix left = left_of(request.matrix, request.lift.lifted(point.factor, scale));
    at.maxima.push_back(
        gains.isZero(0) ? certified_maximum(
                              left, {.k = k, .gains = gains, .by_pairs = request.by_pairs}, budget)
                              .bound
                        : check_maximum(left, k, gains,
                                        c < proofs.size() ? proofs[c] : PricingProof(), budget));
    at.total += count * at.maxima.back();
  }
  return at;
}

}  // namespace spca

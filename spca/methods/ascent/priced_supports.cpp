#include "spca/methods/ascent/priced_supports.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/small_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/ascent/support_exchange.h"

namespace spca {
namespace {

// At most this number of steps of an ascent. Chosen by trial, not measured.
constexpr int kMostPricedSteps = 100;

class PricedAscent {
 public:
  PricedAscent(const Matrix& matrix, const Vector& prices, Index k)
      : matrix_(matrix), prices_(prices), k_(k), variances_(matrix.diagonal()) {}

  /// Takes steps from the support until none gains, or a support of another ascent is reached.
  void ascend(Support support) {
    PricedSupport state = scored(std::move(support));
    for (int step = 0; step < kMostPricedSteps && met_.insert(state.support).second; ++step) {
      if (!(state.worth > 0)) {
        break;
      }
      PricedSupport next = scored(best_by(product_ / std::sqrt(state.worth)));
      if (!(next.net > state.net)) {
        break;
      }
      state = std::move(next);
    }
    found_.push_back(std::move(state));
  }

  /// Ascends from a column of S.
  void ascend_from(Index j) {
    if (variances_[j] > 0) {
      ascend(best_by(matrix_.col(j) / std::sqrt(variances_[j])));
    }
  }

  void exchange(PricedSupport state) {
    while (true) {
      state = scored(state.support);
      PricedSupport best = state;
      for (const SupportExchange& one : promising(state)) {
        Support support = state.support;
        support[static_cast<std::size_t>(one.out)] = one.in;
        std::sort(support.begin(), support.end());
        PricedSupport next = scored(std::move(support));
        if (next.net > best.net + kSmallestRise * std::abs(best.worth)) {
          best = std::move(next);
          break;
        }
      }
      if (best.support == state.support) {
        break;
      }
      found_.push_back(best);
      state = std::move(best);
    }
  }

  /// The distinct supports, best first.
  std::vector<PricedSupport> best(std::size_t max_count) {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const PricedSupport& a, const PricedSupport& b) { return a.net > b.net; });
    std::set<Support> seen;
    std::vector<PricedSupport> result;
    for (const PricedSupport& one : found_) {
      if (result.size() < max_count && seen.insert(one.support).second) {
        result.push_back(one);
      }
    }
    return result;
  }

 private:
  /// Stores v in leading_ and S v in product_.
  PricedSupport scored(Support support) {
    const double worth = find_leading(support);
    product_ = Vector::Zero(matrix_.rows());
    for (Index t = 0; t < leading_.size(); ++t) {
      product_ += leading_[t] * matrix_.col(support[static_cast<std::size_t>(t)]);
    }
    const double net = worth - prices_(support).sum();
    return {.support = std::move(support), .worth = worth, .net = net};
  }

  /// Returns lambda_max(S_II) and stores its vector.
  double find_leading(const Support& support) {
    SmallEigenpair pair;
    if (small_eigenpair_alone(matrix_, support, std::numeric_limits<double>::infinity(), pair)) {
      leading_ = Eigen::Map<const Vector>(pair.vector.data(), std::ssize(support));
      return pair.value;
    }
    const SymmetricEigenpairs pairs = symmetric_eigenpairs(principal_submatrix(matrix_, support));
    const Index last = pairs.values.size() - 1;
    leading_ = pairs.vectors.col(last);
    return pairs.values[last];
  }

  Support best_by(const Vector& y) const { return top_k_signed(y.cwiseAbs2() - prices_, k_); }

  /// The best partner of each member if a gain is expected, best first. Uses v and S v from the
  /// last scored().
  std::vector<SupportExchange> promising(const PricedSupport& state) const {
    std::vector<SupportExchange> exchanges;
    for (std::size_t t = 0; t < state.support.size(); ++t) {
      const Index out = state.support[t];
      const double loading = leading_[static_cast<Index>(t)];
      const double rest = 1 - loading * loading;
      if (!(rest > kSmallestRise)) {
        continue;
      }
      // u = (v - v_i e_i) / sqrt(rest); a = u'Su, b_j = u'S e_j.
      const double a =
          (state.worth - 2 * loading * product_[out] + loading * loading * variances_[out]) / rest;
      const Vector b = (product_ - loading * matrix_.col(out)) / std::sqrt(rest);
      const Vector half = 0.5 * (a - variances_.array());
      const Vector values = 0.5 * (a + variances_.array()) +
                            (half.array().square() + b.array().square()).sqrt() - prices_.array();
      SupportExchange best{.value = state.net};
      const double paid = (state.worth - state.net) - prices_[out];
      for (Index j = 0; j < values.size(); ++j) {
        if (values[j] - paid > best.value &&
            !std::binary_search(state.support.begin(), state.support.end(), j)) {
          best = {.value = values[j] - paid, .out = static_cast<Index>(t), .in = j};
        }
      }
      if (best.in >= 0) {
        exchanges.push_back(best);
      }
    }
    sort_by_bound(exchanges);
    return exchanges;
  }

  const Matrix& matrix_;
  const Vector& prices_;
  Index k_;
  Vector variances_;
  std::vector<PricedSupport> found_;
  std::set<Support> met_;
  Vector leading_;  // of the last support scored
  Vector product_;
};

}  // namespace

PricedSupport priced_support(const Matrix& matrix, const Vector& prices, Support support) {
  const Vector values = symmetric_eigenvalues(principal_submatrix(matrix, support));
  const double worth = values[values.size() - 1];
  const double net = worth - prices(support).sum();
  return {.support = std::move(support), .worth = worth, .net = net};
}

PricedSupport priced_ascent(const Matrix& matrix, const Vector& prices, Index k, const Vector& y) {
  PricedAscent ascent(matrix, prices, k);
  ascent.ascend(top_k_signed(y.cwiseAbs2() - prices, k));
  return ascent.best(1).front();
}

std::vector<PricedSupport> priced_supports(const Matrix& matrix, const Vector& prices, Index k,
                                           const std::vector<Support>& starts,
                                           std::size_t max_count,
                                           const std::function<bool()>& keep_going,
                                           const PricedEffort& effort) {
  PricedAscent ascent(matrix, prices, k);
  for (const Support& start : starts) {
    if (std::ssize(start) == k) {
      ascent.ascend(start);
    }
  }
  const Vector nets = matrix.diagonal() - prices;
  for (const Index j : top_k_signed(nets, std::min(nets.size(), effort.columns))) {
    if (!keep_going()) {
      break;
    }
    ascent.ascend_from(j);
  }
  for (PricedSupport& one : ascent.best(effort.exchanged)) {
    if (keep_going()) {
      ascent.exchange(std::move(one));
    }
  }
  return ascent.best(max_count);
}

}  // namespace spca

#include "spca/methods/ascent/column_exchange.h"

#include <algorithm>
#include <map>

#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/rising_support.h"
#include "spca/methods/ascent/support_exchange.h"

namespace spca {
namespace {

class ColumnExchange {
 public:
  ColumnExchange(const Covariance& covariance, Index k) : best_(covariance), k_(k) {}

  bool set_if_better(const Support& support, const Vector& near) {
    return best_.set_if_better(support, near);
  }
  /// Takes truncated power steps to supports of at most k variables while they raise the value.
  void ascend();
  /// Returns false if no exchange was found that helps.
  bool exchange();
  double value() const { return best_.value(); }
  Component component() const {
    const Vector dense = to_dense({best_.support(), best_.vector()}, best_.product().size());
    return normalized(restrict_to(dense, best_.support()));
  }

 private:
  /// v'Sv of the unit vector along v without its entry t.
  double value_without(Index t) const;
  Support leaving() const;
  void fetch_columns(const Support& positions);

  RisingSupport best_;
  Index k_;
  std::map<Index, Vector> columns_;
};

void ColumnExchange::ascend() {
  // Variables without variance, which a deflation leaves, are excluded: their products are zero.
  const auto largest = [&] {
    return restrict_to(best_.product(), top_k(best_.product(), k_)).support;
  };
  for (Support next = largest(); next != best_.support(); next = largest()) {
    if (!set_if_better(next, best_.product()(next))) {
      return;
    }
  }
}

double ColumnExchange::value_without(Index t) const {
  const double square = best_.vector()[t] * best_.vector()[t];
  const Index i = best_.support()[static_cast<std::size_t>(t)];
  // (Sv)_i = lambda v_i, because v is an eigenvector on I. If v has no other entry, the value is 0.
  return 1 - square > kSmallestRise
             ? (best_.value() * (1 - 2 * square) + square * best_.covariance().diagonal()[i]) /
                   (1 - square)
             : 0;
}

/// Returns the positions in the support of the variables whose removal costs least.
Support ColumnExchange::leaving() const {
  Vector values(best_.vector().size());
  for (Index t = 0; t < values.size(); ++t) {
    values[t] = value_without(t);
  }
  return top_k_signed(values, std::min(kMostLeaving, values.size()));
}

void ColumnExchange::fetch_columns(const Support& positions) {
  std::map<Index, Vector> kept;
  Support missing;
  for (const Index t : positions) {
    const Index i = best_.support()[static_cast<std::size_t>(t)];
    if (const auto known = columns_.find(i); known != columns_.end()) {
      kept[i] = std::move(known->second);
    } else {
      missing.push_back(i);
    }
  }
  if (!missing.empty()) {
    const Matrix fetched = best_.covariance().columns(missing);
    for (std::size_t s = 0; s < missing.size(); ++s) {
      kept[missing[s]] = fetched.col(static_cast<Index>(s));
    }
  }
  columns_ = std::move(kept);
}

bool ColumnExchange::exchange() {
  const Support positions = leaving();
  fetch_columns(positions);
  std::vector<SupportExchange> exchanges;
  for (const Index t : positions) {
    const Vector& column = columns_.at(best_.support()[static_cast<std::size_t>(t)]);
    const SupportExchange one =
        best_partner(best_.support(), t, value_without(t), best_.vector()[t], best_.product(),
                     column, best_.covariance().diagonal());
    if (one.in >= 0) {
      exchanges.push_back(one);
    }
  }
  sort_by_bound(exchanges);
  for (const SupportExchange& one : exchanges) {
    Support next = best_.support();
    next[static_cast<std::size_t>(one.out)] = one.in;
    std::sort(next.begin(), next.end());
    if (set_if_better(next, best_.product()(next))) {
      return true;
    }
  }
  return false;
}

}  // namespace

Component exchanged(const Covariance& covariance, const Component& start, Index k,
                    const std::function<bool(double)>& keep_going) {
  ColumnExchange search(covariance, k);
  if (start.support.empty() || !search.set_if_better(start.support, start.values)) {
    return start;
  }
  search.ascend();
  for (Index t = 0; t < kMostExchanges && keep_going(search.value()) && search.exchange(); ++t) {
    search.ascend();
  }
  return search.component();
}

}  // namespace spca

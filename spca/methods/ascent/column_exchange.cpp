#include "spca/methods/ascent/column_exchange.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "spca/algebra/dense_decompositions.h"
#include "spca/algebra/eigenpairs.h"
#include "spca/algebra/sparsify.h"

namespace spca {
namespace {

// Two computations of one support's value differ by less, relative.
constexpr double kSmallestGain = 1e-12;

class ColumnExchange {
 public:
  ColumnExchange(const Covariance& covariance, Index k) : covariance_(covariance), k_(k) {}

  /// Takes the support if its lambda_max is above the value so far. `near` has its leading vector's
  /// approximate entries.
  bool take(const Support& support, const Vector& near);
  /// Fills the support up to k variables, then takes truncated power steps while they help.
  void ascend();
  /// Returns false if no exchange was found to help.
  bool exchange();
  double value() const { return value_; }
  Component component() const {
    return normalized(restrict_to(to_dense({support_, vector_}, product_.size()), support_));
  }

 private:
  struct Exchange {
    double value = 0;  // a lower bound of the support's value after it
    Index out = -1;    // place in the support
    Index in = -1;
  };
  /// v'Sv of the unit vector along v without its entry t.
  double value_without(Index t) const;
  Support leaving() const;
  void fetch_columns(const Support& places);
  Exchange best_exchange(Index t) const;

  const Covariance& covariance_;
  Index k_;
  double value_ = 0;
  Support support_;
  Vector vector_;   // the leading eigenvector of S_II
  Vector product_;  // S v
  std::map<Index, Vector> columns_;
};

bool ColumnExchange::take(const Support& support, const Vector& near) {
  LeadingEigenpair pair = leading_eigenpair(covariance_.submatrix(support), near);
  if (!(pair.value > value_ * (1 + kSmallestGain))) {
    return false;
  }
  value_ = pair.value;
  support_ = support;
  vector_ = std::move(pair.vector);
  covariance_.multiply(Component{.support = support_, .values = vector_}, product_);
  return true;
}

void ColumnExchange::ascend() {
  // Variables without variance, of which a deflation leaves many, stay out: their products are zero.
  const auto largest = [&] { return restrict_to(product_, top_k(product_, k_)).support; };
  for (Support next = largest(); next != support_; next = largest()) {
    if (!take(next, product_(next))) {
      return;
    }
  }
}

double ColumnExchange::value_without(Index t) const {
  const double square = vector_[t] * vector_[t];
  const Index i = support_[static_cast<std::size_t>(t)];
  // (Sv)_i = lambda v_i, because v is an eigenvector on I. If nothing is left, j stands alone.
  return 1 - square > kSmallestGain
             ? (value_ * (1 - 2 * square) + square * covariance_.diagonal()[i]) / (1 - square)
             : 0;
}

/// Returns the places in the support whose variables are missed least.
Support ColumnExchange::leaving() const {
  Vector values(vector_.size());
  for (Index t = 0; t < values.size(); ++t) {
    values[t] = value_without(t);
  }
  return top_k_signed(values, std::min(kMostLeaving, values.size()));
}

void ColumnExchange::fetch_columns(const Support& places) {
  std::map<Index, Vector> kept;
  Support missing;
  for (const Index t : places) {
    const Index i = support_[static_cast<std::size_t>(t)];
    if (const auto known = columns_.find(i); known != columns_.end()) {
      kept[i] = std::move(known->second);
    } else {
      missing.push_back(i);
    }
  }
  if (!missing.empty()) {
    const Matrix fetched = covariance_.columns(missing);
    for (std::size_t s = 0; s < missing.size(); ++s) {
      kept[missing[s]] = fetched.col(static_cast<Index>(s));
    }
  }
  columns_ = std::move(kept);
}

ColumnExchange::Exchange ColumnExchange::best_exchange(Index t) const {
  const double v_i = vector_[t];
  const double rest = 1 - v_i * v_i;
  const double scale = rest > kSmallestGain ? 1 / std::sqrt(rest) : 0;
  const Vector& column = columns_.at(support_[static_cast<std::size_t>(t)]);
  const Vector& variances = covariance_.diagonal();
  const double a = value_without(t);
  Exchange best{.value = a, .out = t};
  for (Index j = 0; j < variances.size(); ++j) {
    const double b = (product_[j] - column[j] * v_i) * scale;
    const double c = variances[j];
    // Without a root, as in support_ascent.cpp.
    if (c <= best.value && b * b <= (best.value - a) * (best.value - c)) {
      continue;
    }
    const double value = larger_eigenvalue(a, b, c);
    if (value > best.value && !std::binary_search(support_.begin(), support_.end(), j)) {
      best.value = value;
      best.in = j;
    }
  }
  return best;
}

bool ColumnExchange::exchange() {
  const Support places = leaving();
  fetch_columns(places);
  std::vector<Exchange> exchanges;
  for (const Index t : places) {
    if (const Exchange one = best_exchange(t); one.in >= 0) {
      exchanges.push_back(one);
    }
  }
  std::stable_sort(exchanges.begin(), exchanges.end(),
                   [](const Exchange& a, const Exchange& b) { return a.value > b.value; });
  for (const Exchange& one : exchanges) {
    Support next = support_;
    next[static_cast<std::size_t>(one.out)] = one.in;
    std::sort(next.begin(), next.end());
    if (take(next, product_(next))) {
      return true;
    }
  }
  return false;
}

}  // namespace

Component exchanged(const Covariance& covariance, const Component& start, Index k,
                    const std::function<bool(double)>& keep_going) {
  ColumnExchange search(covariance, k);
  if (start.support.empty() || !search.take(start.support, start.values)) {
    return start;
  }
  search.ascend();
  for (Index t = 0; t < kMostExchanges && keep_going(search.value()) && search.exchange(); ++t) {
    search.ascend();
  }
  return search.component();
}

}  // namespace spca

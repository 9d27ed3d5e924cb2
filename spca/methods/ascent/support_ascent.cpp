/// The search is greedy from many starts, because no single start is good everywhere. Three things
/// keep it cheap:
///
/// - a support that was reached before ends an ascent;
/// - an eigenproblem starts from the vector that led to the support;
/// - exchanges are ranked by a bound from a 2 x 2 matrix before any is computed.

#include "spca/methods/ascent/support_ascent.h"

#include <algorithm>
#include <cmath>

#include "spca/dense/leading_eigenpair.h"
#include "spca/dense/sparsify.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// At most this number of power steps. Then the eigensolver gets the support even if it still
// changes.
constexpr int kMostAscentSteps = 40;
// At most this number of exchanges are computed in a round. Their lower bounds order them well, but
// the best may not come first.
constexpr std::size_t kMostExchangesTried = 16;

/// FNV-1a with an extra mixing shift. A collision of two supports skips a start; it makes no answer
/// wrong.
std::uint64_t hash_of_support(const Support& support) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const Index i : support) {
    hash = (hash ^ static_cast<std::uint64_t>(i)) * 0x100000001b3ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

/// S_{:,I} x.
Vector sparse_product(const Matrix& matrix, const Support& support, const Vector& x) {
  Vector result = Vector::Zero(matrix.rows());
  for (std::size_t i = 0; i < support.size(); ++i) {
    result += x[static_cast<Index>(i)] * matrix.col(support[i]);
  }
  return result;
}

Vector entries_on(const Vector& w, const Support& support) {
  Vector values(std::ssize(support));
  for (std::size_t i = 0; i < support.size(); ++i) {
    values[static_cast<Index>(i)] = w[support[i]];
  }
  return values;
}

}  // namespace

Support members_at(const Support& variables, const Support& positions) {
  Support support;
  for (const Index i : positions) {
    support.push_back(variables[static_cast<std::size_t>(i)]);
  }
  return support;
}

Support positions_among(const Support& variables, const Support& support) {
  Support positions;
  for (const Index j : support) {
    const auto found = std::lower_bound(variables.begin(), variables.end(), j);
    if (found != variables.end() && *found == j) {
      positions.push_back(found - variables.begin());
    }
  }
  return positions;
}

Support filled_up(Support positions, Index k) {
  for (Index i = 0; std::ssize(positions) < k; ++i) {
    const auto place = std::lower_bound(positions.begin(), positions.end(), i);
    if (place == positions.end() || *place != i) {
      positions.insert(place, i);
    }
  }
  return positions;
}

Matrix principal_submatrix(const Matrix& matrix, const Support& support) {
  const auto size = std::ssize(support);
  Matrix result(size, size);
  for (Index j = 0; j < size; ++j) {
    const auto column = matrix.col(support[static_cast<std::size_t>(j)]);
    for (Index i = 0; i < size; ++i) {
      result(i, j) = column[support[static_cast<std::size_t>(i)]];
    }
  }
  return result;
}

bool SupportAscent::set_if_better(const Support& support, double value, const Vector& vector) {
  if (!(value > value_ * (1 + kSmallestRise))) {
    return false;
  }
  value_ = value;
  support_ = support;
  vector_ = vector;
  return true;
}

void SupportAscent::consider(const Support& support) {
  const LeadingEigenpair pair = leading_eigenpair(principal_submatrix(matrix_, support));
  set_if_better(support, pair.value, pair.vector);
}

void SupportAscent::ascend(Vector w) {
  Support support;
  Vector v;
  // Power steps on the support, as in tpower, without an eigensolver. The eigenproblem is worth its
  // cost only once the support has settled.
  for (int step = 0; step < kMostAscentSteps; ++step) {
    Support next = top_k(w, k_);
    if (next == support) {
      break;
    }
    support = std::move(next);
    // From a support that was reached before, the ascent would repeat itself.
    if (!met_.insert(hash_of_support(support)).second) {
      return;
    }
    v = entries_on(w, support);
    const double norm = v.norm();
    if (!(norm > 0)) {
      return;
    }
    v /= norm;
    w = sparse_product(matrix_, support, v);
  }
  const Matrix submatrix = principal_submatrix(matrix_, support);
  const LeadingEigenpair pair = leading_eigenpair(submatrix, v);
  // The power steps use S v of an approximate v. The exact leading vector may lead to another
  // support; the value rises each time, so the recursion ends.
  if (set_if_better(support, pair.value, pair.vector)) {
    ascend(sparse_product(matrix_, support, pair.vector));
  }
}

void SupportAscent::grow() {
  Index first = 0;
  matrix_.diagonal().maxCoeff(&first);
  Support support = {first};
  Vector v = Vector::Ones(1);
  while (std::ssize(support) < k_) {
    const Vector w = sparse_product(matrix_, support, v);
    Index best = -1;
    double best_gain = -1;
    for (Index j = 0; j < w.size(); ++j) {
      if (std::binary_search(support.begin(), support.end(), j)) {
        continue;
      }
      // |(Sv)_j| is half the slope of the value along e_j.
      if (const double gain = std::abs(w[j]); gain > best_gain) {
        best_gain = gain;
        best = j;
      }
    }
    const auto found = std::lower_bound(support.begin(), support.end(), best);
    const Index position = found - support.begin();
    support.insert(found, best);
    Vector start(std::ssize(support));
    // The new leading vector is near the old one with an entry for the new variable. 1e-300 avoids
    // 0/0.
    start << v.head(position), w[best] / std::max(w.cwiseAbs().maxCoeff(), 1e-300),
        v.tail(v.size() - position);
    v = leading_eigenpair(principal_submatrix(matrix_, support), start.normalized()).vector;
  }
  ascend(sparse_product(matrix_, support, v));
}

std::vector<SupportExchange> SupportAscent::exchanges(const Vector& product) const {
  const Vector variances = matrix_.diagonal();
  std::vector<SupportExchange> exchanges;
  for (Index t = 0; t < k_; ++t) {
    const Index i = support_[static_cast<std::size_t>(t)];
    const double v_i = vector_[t];
    // If v has no other entry than that of i, the new variable is alone, and a = 0.
    const double rest = std::max(1 - v_i * v_i, 0.0);
    // a = u'Su, u the unit vector along v without its entry i; `product` is Sv.
    const double a = rest > kSmallestRise
                         ? (value_ - 2 * v_i * product[i] + v_i * v_i * variances[i]) / rest
                         : 0;
    const SupportExchange best =
        best_partner(support_, t, a, v_i, product, matrix_.col(i), variances);
    if (best.in >= 0) {
      exchanges.push_back(best);
    }
  }
  sort_by_bound(exchanges);
  return exchanges;
}

void SupportAscent::exchange(const std::function<bool(double)>& keep_going) {
  bool improved = !support_.empty() && k_ < matrix_.rows();
  while (improved && (!keep_going || keep_going(value_))) {
    improved = false;
    const Vector product = sparse_product(matrix_, support_, vector_);
    std::vector<SupportExchange> tried = exchanges(product);
    tried.resize(std::min(tried.size(), kMostExchangesTried));
    for (const SupportExchange& one : tried) {
      Support next = support_;
      next[static_cast<std::size_t>(one.out)] = one.in;
      std::sort(next.begin(), next.end());
      const LeadingEigenpair pair =
          leading_eigenpair(principal_submatrix(matrix_, next), entries_on(product, next));
      if (set_if_better(next, pair.value, pair.vector)) {
        ascend(sparse_product(matrix_, support_, vector_));
        improved = true;
        break;
      }
    }
  }
}

void SupportAscent::search(const std::function<bool(double)>& keep_going) {
  // The first start needs no product: the largest variances.
  consider(top_k(matrix_.diagonal(), k_));
  ascend(matrix_.diagonal());
  for (Index j = 0; j < matrix_.cols(); ++j) {
    if (!keep_going(value_)) {
      return;
    }
    // S e_j: one start from every variable.
    ascend(matrix_.col(j));
  }
  if (keep_going(value_)) {
    grow();
    exchange();
  }
}

}  // namespace spca

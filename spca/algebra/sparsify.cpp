#include "spca/algebra/sparsify.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spca/base/error.h"

namespace spca {
namespace {

/// If k is below this share of p, keeping the k best in one scan is faster than a selection over a
/// copy.
constexpr Index kHeapShare = 8;

struct Magnitude {
  static double key(double x) { return std::isnan(x) ? 0.0 : std::abs(x); }
};

struct SignedValue {
  static double key(double x) { return std::isnan(x) ? 0.0 : x; }
};

struct Candidate {
  double key;
  Index index;
};

/// The order of preference: the larger key first, the lower index among ties.
bool is_better(const Candidate& a, const Candidate& b) {
  return a.key > b.key || (a.key == b.key && a.index < b.index);
}

/// Keeps the k best in a heap with the worst at its root, in one pass. A later entry enters only if
/// it is strictly larger, and so ties stay with the lower index.
template <class Order>
Support select_by_heap(const Vector& w, Index k) {
  std::vector<Candidate> heap(static_cast<std::size_t>(k));
  for (Index i = 0; i < k; ++i) {
    heap[static_cast<std::size_t>(i)] = {Order::key(w[i]), i};
  }
  std::make_heap(heap.begin(), heap.end(), is_better);
  for (Index i = k; i < w.size(); ++i) {
    const double key = Order::key(w[i]);
    if (key > heap.front().key) {
      std::pop_heap(heap.begin(), heap.end(), is_better);
      heap.back() = {key, i};
      std::push_heap(heap.begin(), heap.end(), is_better);
    }
  }
  Support support;
  support.reserve(static_cast<std::size_t>(k));
  for (const Candidate& candidate : heap) {
    support.push_back(candidate.index);
  }
  std::sort(support.begin(), support.end());
  return support;
}

/// Finds the k-th largest key by selection on a copy. A second pass takes what is above it and the
/// first of the entries that equal it.
template <class Order>
Support select_by_threshold(const Vector& w, Index k) {
  std::vector<double> keys(static_cast<std::size_t>(w.size()));
  std::transform(w.begin(), w.end(), keys.begin(), Order::key);
  std::nth_element(keys.begin(), keys.begin() + (k - 1), keys.end(), std::greater<>());
  const double threshold = keys[static_cast<std::size_t>(k - 1)];
  // The places that entries above the threshold leave to those that equal it. After nth_element,
  // all that are above stand in front of the k-th.
  Index ties = k - std::count_if(keys.begin(), keys.begin() + (k - 1),
                                 [&](double key) { return key > threshold; });
  Support support;
  support.reserve(static_cast<std::size_t>(k));
  for (Index i = 0; i < w.size(); ++i) {
    const double key = Order::key(w[i]);
    if (key > threshold || (key == threshold && ties-- > 0)) {
      support.push_back(i);
    }
  }
  return support;
}

template <class Order>
Support select(const Vector& w, Index k) {
  SPCA_CHECK(k >= 1 && k <= w.size(), "the cardinality is outside 1..p");
  if (k == w.size()) {
    Support all(static_cast<std::size_t>(k));
    std::iota(all.begin(), all.end(), Index{0});
    return all;
  }
  return k * kHeapShare <= w.size() ? select_by_heap<Order>(w, k)
                                    : select_by_threshold<Order>(w, k);
}

/// Fills in the unit vector of l1 norm `bound` if `ties` entries share the largest magnitude and
/// bound^2 < ties. Soft thresholding cannot tell these entries apart. The lowest index takes more,
/// and the others share the rest.
void split_ties(double bound, const std::vector<Index>& ties, Vector& u) {
  const double count = static_cast<double>(ties.size());
  // u_first = b/m + s and the other m - 1 entries b/m - s/(m-1): their sum is b for any s, and
  // their squares add up to b^2/m + s^2 m/(m-1) = 1.
  const double shift = std::sqrt(std::max(0.0, 1 - bound * bound / count) * (count - 1) / count);
  for (const Index i : ties) {
    u[i] = i == ties.front() ? bound / count + shift
                             : std::max(0.0, bound / count - shift / (count - 1));
  }
}

}  // namespace

Support top_k(const Vector& w, Index k) { return select<Magnitude>(w, k); }

Support top_k_signed(const Vector& w, Index k) { return select<SignedValue>(w, k); }

Component restrict_to(const Vector& w, const Support& support) {
  Component component{.support = {}, .values = Vector(static_cast<Index>(support.size()))};
  component.support.reserve(support.size());
  for (const Index i : support) {
    if (w[i] != 0) {
      component.values[component.cardinality()] = w[i];
      component.support.push_back(i);
    }
  }
  component.values.conservativeResize(component.cardinality());
  return component;
}

Component from_dense(const Vector& w) {
  Component component;
  for (Index i = 0; i < w.size(); ++i) {
    if (w[i] != 0) {
      component.support.push_back(i);
    }
  }
  component.values = w(component.support);
  return component;
}

Vector to_dense(const Component& component, Index p) {
  Vector w = Vector::Zero(p);
  w(component.support) = component.values;
  return w;
}

double sparse_dot(const Component& v, const Vector& w) {
  double sum = 0;
  for (Index i = 0; i < v.cardinality(); ++i) {
    sum += v.values[i] * w[v.support[static_cast<std::size_t>(i)]];
  }
  return sum;
}

Component normalized(Component component) {
  if (component.support.empty()) {
    return {};
  }
  const double largest = component.values.cwiseAbs().maxCoeff();
  const double sum = component.values.cwiseAbs().sum();  // infinite or NaN if any entry is
  if (!std::isfinite(sum) || !(largest > 0)) {
    return {};
  }
  // Divided by the largest first, so that squares neither overflow nor vanish.
  component.values /= largest;
  component.values /= component.values.norm();
  return component;
}

Vector soft_threshold(const Vector& w, double threshold) {
  return w.unaryExpr([threshold](double x) {
    const double shrunk = std::abs(x) - threshold;
    return shrunk > 0 ? std::copysign(shrunk, x) : 0.0;
  });
}

Vector hard_threshold(const Vector& w, double threshold) {
  return w.unaryExpr([threshold](double x) { return std::abs(x) > threshold ? x : 0.0; });
}

Vector unit_within_l1_ball(const Vector& w, double bound) {
  SPCA_CHECK(bound >= 1, "a unit vector has an l1 norm of at least 1");
  const double largest = w.size() == 0 ? 0.0 : w.cwiseAbs().maxCoeff();
  if (!(largest > 0) || !std::isfinite(largest)) {
    return Vector::Zero(w.size());
  }
  const Vector magnitude = w.cwiseAbs() / largest;
  // The bound holds with t = 0.
  if (magnitude.sum() <= bound * magnitude.norm()) {
    return w / largest / magnitude.norm();
  }
  std::vector<double> sorted(magnitude.begin(), magnitude.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  // ||u||_1 falls as t grows. For t in [a_{m+1}, a_m) the m largest a_i are active. The piece that
  // holds t is the first m at whose lower end a_{m+1} the ratio is above the bound. Invariant:
  // `sum` and `squares` are those of the m largest.
  double sum = 0;
  double squares = 0;
  std::size_t m = 0;
  double next = 0;
  do {
    sum += sorted[m];
    squares += sorted[m] * sorted[m];
    ++m;
    next = m < sorted.size() ? sorted[m] : 0.0;
    const double count = static_cast<double>(m);
    // The l1 norm and the squared l2 norm of (a - next)_+, over the m active entries.
    const double l1 = sum - count * next;
    const double l2 = squares - next * (2 * sum - count * next);
    if (l1 > 0 && l1 * l1 > bound * bound * std::max(l2, 0.0)) {
      break;
    }
  } while (m < sorted.size());
  const double count = static_cast<double>(m);
  const double mean = sum / count;
  // sum of (a_i - mean)^2, summed anew: squares - sum^2 / m would cancel if the entries are near
  // each other.
  double spread = 0;
  for (std::size_t i = 0; i < m; ++i) {
    spread += (sorted[i] - mean) * (sorted[i] - mean);
  }
  Vector u = Vector::Zero(w.size());
  // All active entries are equal: their spread is zero, and the root below would be 0/0.
  if (sorted[m - 1] == sorted[0]) {
    std::vector<Index> ties;
    for (Index i = 0; i < w.size(); ++i) {
      if (magnitude[i] == sorted[0]) {
        ties.push_back(i);
      }
    }
    split_ties(bound, ties, u);
  } else {
    // (sum - m t)^2 = bound^2 (squares - 2 t sum + m t^2), the smaller root. m > bound^2 here.
    // Centred at the mean, the root is mean - bound * sqrt(spread / (m (m - bound^2))).
    const double t = mean - bound * std::sqrt(spread / (count * (count - bound * bound)));
    u = soft_threshold(magnitude, std::max(t, 0.0));
    u /= u.norm();
  }
  return u.cwiseProduct(w.unaryExpr([](double x) { return std::copysign(1.0, x); }));
}

Component with_canonical_sign(Component component) {
  Index largest = 0;
  // A solver may have handed in fewer values than indices, which is found out later.
  for (Index i = 1; i < component.values.size(); ++i) {
    if (std::abs(component.values[i]) > std::abs(component.values[largest])) {
      largest = i;
    }
  }
  if (component.values.size() > 0 && component.values[largest] < 0) {
    component.values = -component.values;
  }
  return component;
}

}  // namespace spca

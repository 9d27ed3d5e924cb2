#include "spca/dense/sparsify.h"

#include <algorithm>
#include <cmath>

#include "spca/base/error.h"
#include "spca/dense/dense_selections.h"

namespace spca {
namespace {

/// If k is at most p divided by this, keeping the k best in one scan is faster than a selection
/// over a copy.
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
/// it is strictly larger, so ties stay with the lower index.
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

/// Finds the k-th largest key by selection on a copy. A second pass takes the entries above it and
/// the first of the entries equal to it.
template <class Order>
Support select_by_threshold(const Vector& w, Index k) {
  std::vector<double> keys(static_cast<std::size_t>(w.size()));
  std::transform(w.begin(), w.end(), keys.begin(), Order::key);
  const double threshold = kth_largest(keys, k);
  // The number of places left for entries equal to the threshold. After kth_largest(), all entries
  // above it are in front of the k-th.
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
    return all_variables(k);
  }
  return k * kHeapShare <= w.size() ? select_by_heap<Order>(w, k)
                                    : select_by_threshold<Order>(w, k);
}

/// Entries whose magnitudes differ from the largest by at most this share count as equal to it.
/// Products with S are no more accurate, so rounding would otherwise choose among the entries.
constexpr double kTieOfMagnitudes = 1e-13;

/// Returns the unit vector of l1 norm `bound` on as few of the entries with gap <= kTieOfMagnitudes
/// as possible; there are at least bound^2 of them. Soft thresholding cannot separate these
/// entries, and every such vector has the largest product with them. The entries of lowest index
/// are used: the first gets a larger value, and the others share the rest equally.
Vector split_ties(const Vector& gaps, double bound) {
  const double count = std::max(1.0, std::ceil(bound * bound));
  // u_first = b/m + s and the other m - 1 entries b/m - s/(m-1): their sum is b for any s, and
  // their squares add up to b^2/m + s^2 m/(m-1) = 1.
  const double shift = std::sqrt(std::max(0.0, 1 - bound * bound / count) * (count - 1) / count);
  Vector u = Vector::Zero(gaps.size());
  double taken = 0;
  for (Index i = 0; i < gaps.size() && taken < count; ++i) {
    if (gaps[i] <= kTieOfMagnitudes) {
      u[i] =
          taken == 0 ? bound / count + shift : std::max(0.0, bound / count - shift / (count - 1));
      ++taken;
    }
  }
  return u;
}

/// Returns s > 0 for which (s - g_i)_+, scaled to unit length, has the l1 norm `bound`. The `gaps`
/// g_i >= 0 are the differences between the largest entry and each entry; fewer than bound^2 of
/// them are <= kTieOfMagnitudes. Unlike entries, gaps keep their digits if entries are close to
/// each other.
double height_above_threshold(const Vector& gaps, double bound) {
  std::vector<double> sorted(gaps.begin(), gaps.end());
  std::sort(sorted.begin(), sorted.end());
  const double squared_bound = bound * bound;
  // The l1 norm grows with s. For s in (g_m, g_{m+1}] the m smallest gaps are active. The piece
  // that holds s is the first m at whose upper end the l1 norm is above the bound. Invariant:
  // `mean` and `spread` = sum of (g_i - mean)^2 are those of the m smallest (Welford).
  double mean = 0;
  double spread = 0;
  double count = 0;
  for (std::size_t m = 0; m < sorted.size(); ++m) {
    const double before = sorted[m] - mean;
    mean += before / ++count;
    spread += before * (sorted[m] - mean);
    if (count <= squared_bound) {
      continue;  // the l1 norm of m entries is at most sqrt(m) times their length
    }
    const double height = (m + 1 < sorted.size() ? sorted[m + 1] : 1.0) - mean;
    if (m + 1 == sorted.size() ||
        count * count * height * height > squared_bound * (count * height * height + spread)) {
      break;
    }
  }
  // Only rounding leads here: no threshold is needed.
  if (count <= squared_bound) {
    return 1;
  }
  // (m (s - mean))^2 = bound^2 (m (s - mean)^2 + spread), the larger root.
  return std::min(1.0, mean + bound * std::sqrt(spread / (count * (count - squared_bound))));
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

void add_scaled(double factor, const Component& v, Vector& w) {
  for (Index i = 0; i < v.cardinality(); ++i) {
    w[v.support[static_cast<std::size_t>(i)]] += factor * v.values[i];
  }
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
  // Divided by the largest entry first, so that squares neither overflow nor underflow.
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
  if (std::isnan(magnitude.sum())) {
    return Vector::Zero(w.size());
  }
  // The bound holds without a threshold.
  if (magnitude.sum() <= bound * magnitude.norm()) {
    return w / largest / magnitude.norm();
  }
  // Subtracted before the division, which would round nearly equal entries to the same number.
  const Vector gaps =
      w.unaryExpr([largest](double x) { return (largest - std::abs(x)) / largest; });
  const auto ties = static_cast<double>((gaps.array() <= kTieOfMagnitudes).count());
  Vector u;
  if (ties >= bound * bound) {
    u = split_ties(gaps, bound);
  } else {
    const double height = height_above_threshold(gaps, bound);
    u = (height - gaps.array()).max(0.0);
    u /= u.norm();
  }
  return u.cwiseProduct(w.unaryExpr([](double x) { return std::copysign(1.0, x); }));
}

Component with_canonical_sign(Component component) {
  Index largest = 0;
  // A solver may return fewer values than indices; this is detected later.
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

#include "spca/methods/ascent/support_polish.h"

#include <algorithm>
#include <cmath>

#include "spca/algebra/dense_decompositions.h"
#include "spca/algebra/eigenpairs.h"
#include "spca/algebra/remaining_variance.h"
#include "spca/algebra/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"

namespace spca {
namespace {

// Two computations of one support's value differ by less, relative.
constexpr double kSmallestPolish = 1e-12;

struct Candidate {
  double value = 0;
  Index variable = 0;
};

class SupportPolish {
 public:
  SupportPolish(const Covariance& covariance, Index k)
      : covariance_(covariance), k_(k), deviations_(covariance.diagonal().cwiseMax(0.0)) {
    deviations_ = deviations_.cwiseSqrt();
  }

  /// Fills the support up to k variables. Returns false for a support without variance.
  bool begin(Support support);
  /// Returns true if the value rose.
  bool ascend();
  bool exchange(const std::function<bool(double)>& keep_going);
  double value() const { return value_; }
  const Support& support() const { return support_; }

 private:
  bool take(const Support& support, const Vector& start);
  std::vector<Candidate> outside() const;

  const Covariance& covariance_;
  Index k_;
  Vector deviations_;  // p: roots of the S_jj
  double value_ = 0;
  Support support_;
  Vector vector_;   // the leading eigenvector of S_II
  Vector product_;  // S v
};

bool SupportPolish::take(const Support& support, const Vector& start) {
  LeadingEigenpair pair = leading_eigenpair(covariance_.submatrix(support), start);
  // Every change passes here, so that the value only rises and the search ends.
  if (!(pair.value > value_ * (1 + kSmallestPolish))) {
    return false;
  }
  value_ = pair.value;
  support_ = support;
  vector_ = std::move(pair.vector);
  covariance_.multiply(Component{.support = support_, .values = vector_}, product_);
  return true;
}

bool SupportPolish::begin(Support support) {
  if (!take(support, Vector::Ones(std::ssize(support)))) {
    return false;
  }
  if (const Index missing = k_ - std::ssize(support); missing > 0) {
    Vector others = product_;
    // The variables with the largest |(Sv)_j| raise the value most, to first order.
    others(support).setZero();
    const Support added = top_k(others, missing);
    support.insert(support.end(), added.begin(), added.end());
    std::sort(support.begin(), support.end());
    // If fewer than `missing` products are nonzero, top_k also returns variables of the support.
    support.erase(std::unique(support.begin(), support.end()), support.end());
    take(support, product_(support));
  }
  return true;
}

bool SupportPolish::ascend() {
  bool rose = false;
  // Ascent on S itself, each step from the exact leading vector of the support before.
  for (Support next = top_k(product_, k_); next != support_; next = top_k(product_, k_)) {
    if (!take(next, product_(next))) {
      break;
    }
    rose = true;
  }
  return rose;
}

/// Returns the variables that an exchange may bring in, with upper bounds on the value after it.
/// See support_ascent.cpp for a, b and c.
std::vector<Candidate> SupportPolish::outside() const {
  const Vector& variances = covariance_.diagonal();
  std::vector<double> worth(static_cast<std::size_t>(variances.size()), 0.0);
  const double floor = value_ * (1 + kSmallestPolish);
  for (std::size_t t = 0; t < support_.size(); ++t) {
    const Index i = support_[t];
    const double v_i = std::abs(vector_[static_cast<Index>(t)]);
    const double rest = std::max(1 - v_i * v_i, kSmallestPolish);
    // (Sv)_i = lambda v_i, because v is an eigenvector on I.
    const double a =
        std::max((value_ * (1 - 2 * v_i * v_i) + v_i * v_i * variances[i]) / rest, 0.0);
    // |(Sv)_j - S_ij v_i| <= |(Sv)_j| + |v_i| sqrt(S_ii S_jj), and b^2 <= a c (Cauchy-Schwarz).
    const double unknown = v_i * deviations_[i];
    for (Index j = 0; j < variances.size(); ++j) {
      const double c = variances[j];
      const double known = std::abs(product_[j]) + unknown * deviations_[j];
      const double square = std::min(known * known / rest, a * c);
      // Without a root, as in support_ascent.cpp.
      if (c > floor || square > (floor - a) * (floor - c)) {
        double& best = worth[static_cast<std::size_t>(j)];
        best = std::max(best, larger_eigenvalue(a, std::sqrt(square), c));
      }
    }
  }
  for (const Index i : support_) {
    worth[static_cast<std::size_t>(i)] = 0;
  }
  std::vector<Candidate> candidates;
  for (Index j = 0; j < variances.size(); ++j) {
    if (worth[static_cast<std::size_t>(j)] > 0) {
      candidates.push_back({.value = worth[static_cast<std::size_t>(j)], .variable = j});
    }
  }
  return candidates;
}

bool SupportPolish::exchange(const std::function<bool(double)>& keep_going) {
  std::vector<Candidate> candidates = outside();
  if (candidates.empty()) {
    return false;
  }
  if (std::ssize(candidates) > kMostOutside) {
    // Ties go to the lower variable, so that the choice does not depend on nth_element.
    std::nth_element(candidates.begin(), candidates.begin() + kMostOutside, candidates.end(),
                     [](const Candidate& a, const Candidate& b) {
                       return a.value != b.value ? a.value > b.value : a.variable < b.variable;
                     });
    candidates.resize(static_cast<std::size_t>(kMostOutside));
  }
  Support among = support_;
  for (const Candidate& candidate : candidates) {
    among.push_back(candidate.variable);
  }
  std::sort(among.begin(), among.end());
  // S is formed only on A, at most k + kMostOutside variables.
  const Matrix matrix = covariance_.submatrix(among);
  SupportAscent search(matrix, std::ssize(support_));
  search.offer(positions_among(among, support_));
  search.exchange(keep_going);
  // The loadings are computed anew by take(), on S itself.
  const Support found = take_from(among, search.support());
  return take(found, product_(found));
}

}  // namespace

Component polished(const Covariance& covariance, const Component& start, Index k,
                   const std::function<bool(double)>& keep_going) {
  // A variable without variance adds nothing, so that a support need not have more than these.
  const auto varying = std::ssize(varying_variables(covariance));
  SupportPolish polish(covariance, std::min(k, varying));
  if (start.support.empty() || !polish.begin(start.support)) {
    return start;
  }
  // An exchange may open the way for an ascent, and the other way round.
  bool rose = true;
  while (rose && keep_going(polish.value())) {
    const bool ascended = polish.ascend();
    rose = polish.exchange(keep_going) || ascended;
  }
  return best_on_support(covariance, polish.support()).component;
}

}  // namespace spca

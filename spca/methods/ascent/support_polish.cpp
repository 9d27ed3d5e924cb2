#include "spca/methods/ascent/support_polish.h"

#include <algorithm>
#include <cmath>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/rising_support.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/ascent/support_exchange.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca {
namespace {

struct Candidate {
  double value = 0;
  Index variable = 0;
};

class SupportPolish {
 public:
  SupportPolish(const Covariance& covariance, Index k)
      : best_(covariance), k_(k), deviations_(covariance.diagonal().cwiseMax(0.0)) {
    deviations_ = deviations_.cwiseSqrt();
  }

  /// Fills the support up to k variables. Returns false for a support without variance.
  bool begin(Support support);
  /// Returns true if the value rose.
  bool ascend();
  bool exchange(const std::function<bool(double)>& keep_going);
  double value() const { return best_.value(); }
  const Support& support() const { return best_.support(); }

 private:
  std::vector<Candidate> outside() const;

  RisingSupport best_;
  Index k_;
  Vector deviations_;  // p: roots of the S_jj
};

bool SupportPolish::begin(Support support) {
  if (!best_.set_if_better(support, Vector::Ones(std::ssize(support)))) {
    return false;
  }
  if (const Index missing = k_ - std::ssize(support); missing > 0) {
    Vector others = best_.product();
    // The variables with the largest |(Sv)_j| raise the value most, to first order.
    others(support).setZero();
    const Support added = top_k(others, missing);
    support.insert(support.end(), added.begin(), added.end());
    std::sort(support.begin(), support.end());
    // If fewer than `missing` products are nonzero, top_k also returns variables of the support.
    support.erase(std::unique(support.begin(), support.end()), support.end());
    best_.set_if_better(support, best_.product()(support));
  }
  return true;
}

bool SupportPolish::ascend() {
  bool rose = false;
  // Ascends on S itself; each step begins at the exact leading vector of the previous support.
  for (Support next = top_k(best_.product(), k_); next != best_.support();
       next = top_k(best_.product(), k_)) {
    if (!best_.set_if_better(next, best_.product()(next))) {
      break;
    }
    rose = true;
  }
  return rose;
}

/// Returns the variables j that an exchange may bring in, with upper bounds on the larger
/// eigenvalue of [[a, b], [b, c]], c = S_jj. See support_exchange.h for a and b.
std::vector<Candidate> SupportPolish::outside() const {
  const Vector& variances = best_.covariance().diagonal();
  std::vector<double> worth(static_cast<std::size_t>(variances.size()), 0.0);
  const double floor = best_.value() * (1 + kSmallestRise);
  for (std::size_t t = 0; t < best_.support().size(); ++t) {
    const Index i = best_.support()[t];
    const double v_i = std::abs(best_.vector()[static_cast<Index>(t)]);
    const double rest = std::max(1 - v_i * v_i, kSmallestRise);
    // (Sv)_i = lambda v_i, because v is an eigenvector on I.
    const double a =
        std::max((best_.value() * (1 - 2 * v_i * v_i) + v_i * v_i * variances[i]) / rest, 0.0);
    // |(Sv)_j - S_ij v_i| <= |(Sv)_j| + |v_i| sqrt(S_ii S_jj), and b^2 <= a c (Cauchy-Schwarz).
    const double unknown = v_i * deviations_[i];
    for (Index j = 0; j < variances.size(); ++j) {
      const double c = variances[j];
      const double known = std::abs(best_.product()[j]) + unknown * deviations_[j];
      const double square = std::min(known * known / rest, a * c);
      // Avoids the root, as in support_exchange.cpp.
      if (c > floor || square > (floor - a) * (floor - c)) {
        double& best = worth[static_cast<std::size_t>(j)];
        best = std::max(best, larger_eigenvalue(a, std::sqrt(square), c));
      }
    }
  }
  for (const Index i : best_.support()) {
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
  Support among = best_.support();
  for (const Candidate& candidate : candidates) {
    among.push_back(candidate.variable);
  }
  std::sort(among.begin(), among.end());
  // S is formed only on A, at most k + kMostOutside variables.
  const Matrix matrix = best_.covariance().submatrix(among);
  SupportAscent search(matrix, std::ssize(best_.support()));
  search.consider(positions_among(among, best_.support()));
  search.exchange(keep_going);
  // set_if_better() recomputes the loadings on S itself.
  const Support found = members_at(among, search.support());
  return best_.set_if_better(found, best_.product()(found));
}

}  // namespace

Component polished(const Covariance& covariance, const Component& start, Index k,
                   const std::function<bool(double)>& keep_going) {
  // A variable without variance adds nothing, so a support needs at most the varying variables.
  const auto varying = std::ssize(varying_variables(covariance));
  SupportPolish polish(covariance, std::min(k, varying));
  if (start.support.empty() || !polish.begin(start.support)) {
    return start;
  }
  // An exchange may allow a further ascent, and the reverse.
  bool rose = true;
  while (rose && keep_going(polish.value())) {
    const bool ascended = polish.ascend();
    rose = polish.exchange(keep_going) || ascended;
  }
  return best_on_support(covariance, polish.support()).component;
}

}  // namespace spca

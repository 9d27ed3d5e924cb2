#include "spca/methods/pairs/assigned_supports.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <utility>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/small_eigenpair.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/pools/pooled_relaxation.h"

namespace spca {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Exceeds the rounding of an eigenvalue, as a share of the largest entry for each variable.
constexpr double kRoundingOfEigenvalue = 1e-12;
// At most this number of components, because a set of them is stored as the bits of a number.
constexpr std::size_t kMostAssignedComponents = 16;
// With more places whose variables are not known, there are too many assignments.
constexpr double kMostFreePlaces = 2;
// A bound on what the variables left can add takes about the time of this number of steps, if no
// support could get more than this number of variables.
constexpr int kStepsOfPruning = 4;
constexpr std::size_t kMostPruned = 16;
// A relaxation takes about the time of this number of steps.
constexpr int kStepsOfRelaxation = 100;
// The smoothing of the relaxation, as shares of the bound, one after the other. Chosen by trial,
// not measured.
constexpr double kSmoothing[] = {1e-2, 1e-4, 1e-6};

/// Enumerates the supports, variable by variable.
class Assignments {
 public:
  Assignments(const Matrix& matrix, const std::vector<Index>& cardinality,
              const PairConditions& conditions, const Matrix& factor, double level,
              const std::function<bool()>& keep_going)
      : matrix_(matrix),
        cardinality_(cardinality),
        charges_(conditions.charges),
        level_(level),
        keep_going_(keep_going),
        supports_(cardinality.size()),
        most_steps_(conditions.least == conditions.most ? kMostAssignments
                                                        : kMostAssignmentsWithFree) {
    if (factor.size() > 0) {
      left_ = matrix;
      subtract_product_transposed(left_, factor, factor);
      PairConditions uncharged = conditions;
      uncharged.charges.setZero();
      of_union_ =
          largest_payment(Vector::Zero(matrix.rows()), factor.rowwise().squaredNorm(), uncharged);
    }
    for (Index i = 0; i < conditions.least.size(); ++i) {
      if (conditions.most[i] > 0) {
        variables_.push_back({.index = i,
                              .least = static_cast<int>(conditions.least[i]),
                              .most = static_cast<int>(conditions.most[i])});
      }
    }
    // Variables that must be in many supports come first, and of these the larger ones.
    std::stable_sort(variables_.begin(), variables_.end(), [&](const auto& a, const auto& b) {
      return std::pair(a.least, matrix(a.index, a.index)) >
             std::pair(b.least, matrix(b.index, b.index));
    });
  }

  /// Returns the largest sum, or a bound on it that is at most the level; infinity if there are too
  /// many assignments.
  double largest() {
    add_variable(0);
    return steps_ > most_steps_ ? kInfinity : std::max(best_, pruned_);
  }

 private:
  struct Variable {
    Index index = 0;
    int least = 0, most = 0;  // the number of its supports
  };

  void add_variable(std::size_t next) {
    if (!keep_going_()) {
      steps_ = most_steps_;
    }
    if (++steps_ > most_steps_) {
      return;
    }
    if (next == variables_.size() || (variables_[next].least == 0 && is_full())) {
      best_ = std::max(best_, sum());
      return;
    }
    if (!may_exceed_level(next)) {
      return;
    }
    const Variable& variable = variables_[next];
    const unsigned end = 1U << supports_.size();
    for (unsigned members = 0; members < end; ++members) {
      const int count = std::popcount(members);
      if (variable.least <= count && count <= variable.most && may_join(members)) {
        add_to(members, next);
      }
    }
  }

  bool has_space(std::size_t t) const { return std::ssize(supports_[t]) < cardinality_[t]; }

  bool is_full() const {
    for (std::size_t t = 0; t < supports_.size(); ++t) {
      if (has_space(t)) {
        return false;
      }
    }
    return true;
  }

  /// Returns false if the sum is at most the level even if each component that has space gets all
  /// variables from `next` on, or if a component stays empty.
  bool may_exceed_level(std::size_t next) {
    std::vector<Support> wholes = supports_;
    for (std::size_t t = 0; t < supports_.size(); ++t) {
      for (std::size_t left = next; has_space(t) && left < variables_.size(); ++left) {
        wholes[t].push_back(variables_[left].index);
      }
    }
    if (std::any_of(wholes.begin(), wholes.end(), std::mem_fn(&Support::empty))) {
      return false;
    }
    if (std::any_of(wholes.begin(), wholes.end(),
                    [](const Support& whole) { return whole.size() > kMostPruned; })) {
      return true;
    }
    steps_ += kStepsOfPruning;
    const double sum = sum_of(wholes) - charge();
    if (sum > std::max(best_, level_)) {
      return true;
    }
    pruned_ = std::max(pruned_, sum);
    return false;
  }

  /// A bound on components of these supports, by S, or by S - Lambda and the union if that is less.
  double sum_of(const std::vector<Support>& supports) const {
    double sum = 0;
    for (const Support& support : supports) {
      sum += small_leading_eigenvalue(matrix_, support);
    }
    if (left_.size() > 0 && sum > std::max(best_, level_)) {
      double left = of_union_;
      for (const Support& support : supports) {
        left += small_leading_eigenvalue(left_, support);
      }
      sum = std::min(sum, left);
    }
    return sum;
  }

  /// The charges of the present supports.
  double charge() const {
    double sum = 0;
    for (const Support& support : supports_) {
      sum += charges_(support).sum();
    }
    return sum;
  }

  void add_to(unsigned members, std::size_t next) {
    for (std::size_t t = 0; t < supports_.size(); ++t) {
      if (members >> t & 1U) {
        supports_[t].push_back(variables_[next].index);
      }
    }
    add_variable(next + 1);
    for (std::size_t t = 0; t < supports_.size(); ++t) {
      if (members >> t & 1U) {
        supports_[t].pop_back();
      }
    }
  }

  /// Returns whether the components have space for a variable. Empty components of the same
  /// cardinality are alike, so only the first of them may get it.
  bool may_join(unsigned members) const {
    for (std::size_t t = 0; t < supports_.size(); ++t) {
      if (!(members >> t & 1U)) {
        continue;
      }
      if (!has_space(t)) {
        return false;
      }
      for (std::size_t s = 0; supports_[t].empty() && s < t; ++s) {
        if (supports_[s].empty() && cardinality_[s] == cardinality_[t] && !(members >> s & 1U)) {
          return false;
        }
      }
    }
    return true;
  }

  /// Returns the bound of the present supports; minus infinity if one is empty.
  double sum() {
    Support all;
    for (const Support& support : supports_) {
      if (support.empty()) {
        return -kInfinity;
      }
      all.insert(all.end(), support.begin(), support.end());
    }
    const double sum = sum_of(supports_) - charge();
    const double level = std::max(best_, level_);
    if (sum <= level) {
      return sum;
    }
    std::sort(all.begin(), all.end());
    const auto end = std::unique(all.begin(), all.end());
    const bool is_shared = end != all.end();
    all.erase(end, all.end());
    if (!is_shared) {
      return sum;
    }
    steps_ += kStepsOfRelaxation;
    return std::min(sum, orthogonal_sum(all, level));
  }

  /// Returns a bound on orthonormal components of the present supports, whose union is `all`,
  /// ascending: the sum of the r largest eigenvalues of S on it, or that of the relaxation UU' <= I
  /// (pooled_relaxation.h), which is sought until it is at most `level`.
  double orthogonal_sum(const Support& all, double level) const {
    const Matrix part = selected(matrix_, all, all);
    const Vector values = symmetric_eigenvalues(part);
    double least = values.tail(std::min(std::ssize(supports_), values.size())).sum();
    PooledRelaxation relaxation(part, std::vector<double>(supports_.size(), 1.0));
    for (std::size_t t = 0; t < supports_.size(); ++t) {
      Support support = supports_[t];
      std::sort(support.begin(), support.end());
      relaxation.add(t, positions_among(all, support));
    }
    PricePoint point{.factor = Matrix::Zero(part.rows(), 1)};
    for (const double share : kSmoothing) {
      if (least > level) {
        relaxation.minimise(point, {.mu = share * std::abs(least),
                                    .enough = level,
                                    .keep_going = [this] { return keep_going_(); }});
        least = std::min(least, relaxation.value(point));
      }
    }
    return least;
  }

  const Matrix& matrix_;
  Matrix left_;          // S - Lambda; 0 x 0: Lambda = 0
  double of_union_ = 0;  // the sum of Lambda_ii over the union, at most
  const std::vector<Index>& cardinality_;
  const Vector& charges_;  // of a single support
  double level_;           // a bound of at most this need not be lowered further
  const std::function<bool()>& keep_going_;
  std::vector<Variable> variables_;
  std::vector<Support> supports_;
  double best_ = -kInfinity;
  double pruned_ = -kInfinity;  // the largest bound of assignments that were not enumerated
  int steps_ = 0;
  int most_steps_;
};

}  // namespace

double assigned_bound(const Matrix& matrix, const std::vector<Index>& cardinality,
                      const PairConditions& conditions, const Matrix& factor, double level,
                      const std::function<bool()>& keep_going) {
  const double free = static_cast<double>(conditions.places) - conditions.least.sum();
  const bool is_decided = conditions.least == conditions.most;
  if (conditions.least.size() != matrix.rows() || cardinality.size() > kMostAssignedComponents ||
      !(is_decided || free <= kMostFreePlaces)) {
    return kInfinity;
  }
  const double largest =
      Assignments(matrix, cardinality, conditions, factor, level, keep_going).largest();
  const double entries =
      matrix.cwiseAbs().maxCoeff() + factor.squaredNorm() + conditions.charges.maxCoeff();
  return largest + kRoundingOfEigenvalue * entries * static_cast<double>(conditions.places);
}

}  // namespace spca

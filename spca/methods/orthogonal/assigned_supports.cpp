#include "spca/methods/orthogonal/assigned_supports.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/small_eigenpair.h"

namespace spca {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Exceeds the rounding of an eigenvalue, as a share of the largest entry for each variable.
constexpr double kRoundingOfEigenvalue = 1e-12;
// A set of components is a number of this many bits at most.
constexpr std::size_t kMostAssignedComponents = 16;

/// Enumerates the supports, variable by variable.
class Assignments {
 public:
  Assignments(const Matrix& matrix, const std::vector<Index>& cardinality,
              const PairConditions& conditions)
      : matrix_(matrix), cardinality_(cardinality), supports_(cardinality.size()) {
    for (Index i = 0; i < conditions.least.size(); ++i) {
      if (conditions.least[i] > 0) {
        variables_.push_back(i);
        counts_.push_back(static_cast<int>(conditions.least[i]));
        is_shared_ = is_shared_ || conditions.least[i] > 1;
      }
    }
  }

  /// Returns the largest sum; infinity if there are too many assignments.
  double largest() {
    add_variable(0);
    return steps_ > kMostAssignments ? kInfinity : best_;
  }

 private:
  void add_variable(std::size_t next) {
    if (++steps_ > kMostAssignments) {
      return;
    }
    if (next == variables_.size()) {
      best_ = std::max(best_, sum());
      return;
    }
    const unsigned end = 1U << supports_.size();
    for (unsigned members = 1; members < end; ++members) {
      if (std::popcount(members) == counts_[next] && may_join(members)) {
        add_to(members, next);
      }
    }
  }

  void add_to(unsigned members, std::size_t next) {
    for (std::size_t t = 0; t < supports_.size(); ++t) {
      if (members >> t & 1U) {
        supports_[t].push_back(variables_[next]);
      }
    }
    add_variable(next + 1);
    for (std::size_t t = 0; t < supports_.size(); ++t) {
      if (members >> t & 1U) {
        supports_[t].pop_back();
      }
    }
  }

  /// Returns whether the components have space for a variable. Of empty components of one
  /// cardinality, which are alike, the first ones are taken.
  bool may_join(unsigned members) const {
    for (std::size_t t = 0; t < supports_.size(); ++t) {
      if (!(members >> t & 1U)) {
        continue;
      }
      if (std::ssize(supports_[t]) == cardinality_[t]) {
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
  double sum() const {
    double sum = 0;
    Support all;
    for (const Support& support : supports_) {
      if (support.empty()) {
        return -kInfinity;
      }
      sum += small_leading_eigenvalue(matrix_, support);
      all.insert(all.end(), support.begin(), support.end());
    }
    return is_shared_ && sum > best_ ? std::min(sum, leading_sum(all)) : sum;
  }

  /// Returns the sum of as many eigenvalues as there are supports, the largest ones of S on these
  /// variables.
  double leading_sum(Support all) const {
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    const Vector values = symmetric_eigenvalues(selected(matrix_, all, all));
    return values.tail(std::min(std::ssize(supports_), values.size())).sum();
  }

  const Matrix& matrix_;
  const std::vector<Index>& cardinality_;
  Support variables_;
  std::vector<int> counts_;  // of the variables
  std::vector<Support> supports_;
  bool is_shared_ = false;  // some variable is in several supports
  double best_ = -kInfinity;
  int steps_ = 0;
};

}  // namespace

double assigned_bound(const Matrix& matrix, const std::vector<Index>& cardinality,
                      const PairConditions& conditions) {
  if (conditions.least.size() != matrix.rows() || conditions.least != conditions.most ||
      cardinality.size() > kMostAssignedComponents) {
    return kInfinity;
  }
  const double largest = Assignments(matrix, cardinality, conditions).largest();
  return largest + kRoundingOfEigenvalue * matrix.cwiseAbs().maxCoeff() * conditions.least.sum();
}

}  // namespace spca

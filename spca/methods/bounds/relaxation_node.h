#pragma once

/// The inner part of a RelaxationTree that the search and the check of its proof share. For
/// relaxation_tree.cpp, relaxation_proof.cpp and relaxed_candidates.cpp alone.

#include <algorithm>
#include <vector>

#include "spca/methods/bounds/cardinality_relaxation.h"
#include "spca/methods/bounds/support_tree.h"

namespace spca {

/// P and C of a node, as settled so far.
struct SettledSets {
  std::vector<int> chosen;
  std::vector<int> candidates;

  Index to_choose(Index k) const { return k - std::ssize(chosen); }
  /// One support is left.
  bool is_support(Index k) const {
    return to_choose(k) == 0 || std::ssize(candidates) == to_choose(k);
  }
  bool is_empty(Index k) const { return to_choose(k) < 0 || std::ssize(candidates) < to_choose(k); }
  Support support(Index k) const {
    Support all(chosen.begin(), chosen.end());
    if (to_choose(k) > 0) {
      all.insert(all.end(), candidates.begin(), candidates.end());
    }
    std::sort(all.begin(), all.end());
    return all;
  }
  void branch(int variable, bool with) {
    const auto place = std::find(candidates.begin(), candidates.end(), variable);
    if (place != candidates.end()) {
      candidates.erase(place);
      if (with) {
        chosen.push_back(variable);
      }
    }
  }
  /// Whether anything changes.
  bool settle(const SettledVariables& settled) {
    std::vector<char> fate(candidates.size(), 0);
    for (const Index i : settled.out) {
      fate[static_cast<std::size_t>(i)] = 1;
    }
    for (const Index i : settled.inside) {
      fate[static_cast<std::size_t>(i)] = 2;  // no support at all is left where it is out as well
    }
    std::vector<int> left;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (fate[i] == 2) {
        chosen.push_back(candidates[i]);
      } else if (fate[i] == 0) {
        left.push_back(candidates[i]);
      }
    }
    const bool changes = left.size() < candidates.size();
    candidates = std::move(left);
    return changes;
  }
};

/// S <= unit (factor' factor + excess I), unit the largest variance. The excess is what rounding
/// leaves of S, and for an S that is slightly indefinite (printed digits) more.
struct FactoredCovariance {
  Matrix factor;  // n x p
  double unit = 1;
  double excess = 0;

  /// What lambda_max of the factor's part has to exceed for a support to be better than `value`.
  double limit(double value) const { return value * (1 + kBoundRounding) / unit - excess; }
};
FactoredCovariance factor_covariance(const Matrix& matrix);

/// Of the factor, n x p: those of `first`, then those of `second`.
Matrix columns_of(const Matrix& factor, const std::vector<int>& first,
                  const std::vector<int>& second);

/// lambda_max(S_II), S = factor' factor.
double largest_variance_on(const Matrix& factor, const Support& support);

}  // namespace spca

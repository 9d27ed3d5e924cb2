#pragma once

/// The supports of one component that may be in orthonormal components of more than a given
/// variance. They are few if the relaxation of orthogonal_bound.h is near the best answer, and the
/// division by supports (orthogonal_tree.h) then serves problems of many variables.
///
/// Let f(Lambda) be the bound of orthogonal_bound.h, m_k the largest lambda_max((S - Lambda)_II)
/// for |I| <= k, and b < f a target. If one of the components, of at most k variables, has a
/// support I with lambda_max((S - Lambda)_II) <= m_k - (f - b), all of them together explain at
/// most b, because each other component adds at most its m. So only the other supports matter. With
/// gains pi the same holds for lambda_max((S - Lambda)_II) + pi(I).
///
/// Source  enumeration within the gap: R. Baldacci, N. Christofides, A. Mingozzi, Mathematical
///         Programming 115:351, 2008; here for supports that overlap

#include <cstddef>
#include <map>
#include <numeric>

#include "spca/methods/orthogonal/orthogonal_tree.h"
#include "spca/methods/orthogonal/priced_problem.h"
#include "spca/methods/pricing/strongest_entries.h"
#include "spca/solving/budget.h"

namespace spca {

/// At most this number of supports for one k. Chosen by trial, not measured.
inline constexpr std::size_t kMostNear = 100'000;

struct NearSupports {
  Support core = {};            // the variables of all these supports, ascending
  SupportChoices choices = {};  // positions in the core; one list for each k

  bool is_empty() const { return choices.empty(); }
  std::size_t size() const {
    return std::accumulate(
        choices.begin(), choices.end(), std::size_t{0},
        [](std::size_t sum, const auto& one) { return sum + one.second.size(); });
  }
};

/// Enumerates supports for levels that fall from call to call.
class NearSupportSearch {
 public:
  /// `left`: A = S - Lambda, p x p; `gains`: pi, p, >= 0.
  NearSupportSearch(Matrix left, Vector gains);
  NearSupportSearch(const NearSupportSearch&) = delete;
  NearSupportSearch& operator=(const NearSupportSearch&) = delete;

  /// Enumerates the supports I of 1 to k variables with lambda_max(A_II) + pi(I) > levels[k], for
  /// each k in `levels`. Those that miss their level by no more than rounding may be among them,
  /// too. Empty if the supports or their variables are too many, if the enumeration takes too much
  /// work, or if the budget is over.
  NearSupports above(const std::map<Index, double>& levels, Budget& budget);

 private:
  Matrix left_;
  Vector gains_;
  PricedProblem problem_;
  StrongestEntries strongest_;  // of the matrix of problem_
};

}  // namespace spca

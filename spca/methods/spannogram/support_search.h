#pragma once

/// The best of the supports that a search on S_d meets, on S_d and on S.

#include <unordered_set>

#include "spca/algebra/eigenpairs.h"
#include "spca/algebra/low_rank.h"

namespace spca {

class SupportSearch {
 public:
  /// Both must outlive the search. `on_covariance`: whether supports are scored on S as well.
  SupportSearch(const Covariance& covariance, const LowRank& low_rank, bool on_covariance)
      : covariance_(covariance),
        low_rank_(low_rank),
        on_covariance_(on_covariance),
        reduced_(reduced_factor(low_rank)) {}

  /// `value`: that of the support on S_d. It is scored on S where it might be the best there, which
  /// value + lambda_{d+1} bounds and then its value on WW' + lambda_{d+1} (reduced_factor()): so
  /// for nearly all supports the answer costs nothing. Among equals the first that is offered wins.
  void offer(const Support& support, double value);
  /// The same, its value computed: once, however often the support is offered.
  void offer_candidate(const Support& support);

  /// The supports of cardinality k to which S_d leads from each of its eigenvectors.
  void offer_ascents(Index k);

  double best_low_rank_value() const { return best_low_rank_value_; }
  /// On S, or on S_d where the search does not score on S, with the best loadings on S in any case.
  /// Empty where no support with positive variance was offered.
  Component best() const;
  double best_value() const { return best_value_; }
  /// How many supports were scored on S, or there ruled out.
  Index scored() const { return scored_; }

 private:
  bool may_be_best(double value) const;
  bool is_ruled_out(const Support& support) const;

  const Covariance& covariance_;
  const LowRank& low_rank_;
  bool on_covariance_;
  Matrix reduced_;  // W
  double best_low_rank_value_ = 0;
  Support best_low_rank_support_;
  double best_value_ = 0;
  Component best_;
  std::unordered_set<std::uint64_t> offered_;  // hashes of the supports offered as candidates
  std::unordered_set<std::uint64_t> seen_;     // of those scored on S
  Index scored_ = 0;
};

}  // namespace spca

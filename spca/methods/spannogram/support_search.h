#pragma once

/// Keeps the best of the supports that a search on S_d finds, on S_d and on S.

#include <unordered_set>

#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/low_rank.h"

namespace spca {

class SupportSearch {
 public:
  /// `covariance` and `low_rank` must outlive the search. `on_covariance`: whether supports are
  /// scored on S as well.
  SupportSearch(const Covariance& covariance, const LowRank& low_rank, bool on_covariance)
      : covariance_(covariance),
        low_rank_(low_rank),
        on_covariance_(on_covariance),
        reduced_(reduced_factor(low_rank)) {}

  /// Considers a support whose value on S_d is `value`. It is scored on S only if it might be the
  /// best there, by two bounds on its value: value + lambda_{d+1}, then its value on WW' of
  /// reduced_factor() + lambda_{d+1}. With these bounds few supports are scored on S. Among equals
  /// the first considered wins.
  void consider(const Support& support, double value);
  /// The same as consider(support, value) for a support whose value is not known: it is computed
  /// once, however often the support is offered. The empty support is ignored.
  void consider(const Support& support);

  /// Considers the supports of cardinality k where ascents on S_d from each of its eigenvectors
  /// end.
  void consider_ascents(Index k);

  /// The largest value on S_d.
  double best_low_rank_value() const { return best_low_rank_value_; }
  /// The best support on S, or on S_d if the search does not score on S; with the best loadings on
  /// S in either case. Empty if no support with positive variance was considered.
  Component best() const;
  /// The value of best() on S; 0 if the search does not score on S.
  double best_value() const { return best_value_; }
  /// Number of supports that were scored on S, or ruled out there.
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
  std::unordered_set<std::uint64_t> evaluated_;  // hashes of the supports whose value was computed
  std::unordered_set<std::uint64_t> seen_;       // hashes of the supports scored on S
  Index scored_ = 0;
};

}  // namespace spca

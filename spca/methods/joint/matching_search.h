#pragma once

/// Disjoint supports by bipartite matchings: for directions C of the span of V, S_d = V V', the
/// supports are the assignment of variables to components that maximises
/// sum_j ||(V C_j)_{I_j}||^2. The best of these candidates is kept.
///
/// A candidate that cannot be the best on S is not scored there: a support's value on S is at most
/// that on S_d plus lambda_{d+1}, and at most the sum of its variances. Candidates come in batches
/// of one size, so that the answer does not depend on the threads.
///
/// Source  Asteris, Papailiopoulos, Kyrillidis, Dimakis, Sparse PCA via bipartite matchings, NIPS
///         2015: Algorithms 1 and 2

#include <unordered_set>
#include <vector>

#include "spca/methods/joint/disjoint.h"
#include "spca/methods/joint/span_directions.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/low_rank.h"

namespace spca {

/// The objective of the answer.
enum class SpanScore {
  kCovariance,  // the value on S
  kLowRank,     // the value on S_d
  kPrinted,     // the value on S_d with the loadings of Algorithm 2: V_I c at unit length
};

struct SpanCandidate {
  Matrix directions;
  std::vector<Support> supports;
  std::vector<double> values;  // on S_d, by component
  double low_rank = 0;         // their sum
  double score = 0;            // if it was computed, otherwise 0
};

class MatchingSearch {
 public:
  /// `problem` and `low_rank` must outlive the search.
  MatchingSearch(const Problem& problem, SpanScore score, const LowRank& low_rank);

  /// Tries all directions, or as many as the budget permits.
  void run(const Directions& directions, Budget& budget);

  /// The candidate of largest score; without supports if no score is positive.
  const SpanCandidate& best() const { return best_; }
  /// The largest value on S_d of any candidate.
  double best_low_rank() const { return best_low_rank_; }
  /// Number of candidates.
  double tried() const { return tried_; }
  /// Number of candidates that were scored on S.
  double scored() const { return scored_; }
  /// Returns whether all directions were tried.
  bool is_complete() const { return is_complete_; }

 private:
  void find_supports(std::vector<SpanCandidate>& batch);
  void score(std::vector<SpanCandidate>& batch);
  double value_by_directions(const SpanCandidate& candidate) const;
  double bound(const SpanCandidate& candidate, std::size_t j) const;
  double score_on_covariance(const SpanCandidate& candidate, double floor) const;

  const Problem& problem_;
  const LowRank& low_rank_;
  SpanScore score_;
  KnownSubmatrix known_;
  std::vector<SpanAssignment> assignments_;
  std::unordered_set<std::uint64_t> seen_;  // hashes of the candidates that were scored
  SpanCandidate best_;
  double best_low_rank_ = 0;
  double tried_ = 0;
  double scored_ = 0;
  bool is_complete_ = false;
};

}  // namespace spca
